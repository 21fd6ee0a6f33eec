"""tanon.date_hierarchy against labels made in Python."""

import datetime

import duckdb
import pytest

from oracles.hierarchies import assert_nested, by_level


def test_labels_of_dates(con):
    first = datetime.date(1899, 12, 25)
    days = [first + datetime.timedelta(days=37 * n) for n in range(300)]
    con.execute("create table t (born date)")
    con.executemany("insert into t values (?)", [[d] for d in days] + [[None]])
    call = "from tanon.date_hierarchy('t', 'born', ['month', 'year', 'decade'])"
    levels = by_level(con.execute(call).fetchall())
    assert_nested(levels, [str(d) for d in days])
    assert levels[0] == {str(d): f"{d:%Y-%m}" for d in days}
    assert levels[1] == {str(d): f"{d:%Y}" for d in days}
    labels = con.execute(
        "select born::varchar, tanon.granule_label(born, 'decade') from t"
    ).fetchall()
    assert levels[2] == {text: label for text, label in labels if text}
    assert set(levels[3].values()) == {"*"}


def test_instants_want_a_clock(con):
    con.execute("create table t as select timestamptz '2024-01-01 00:30:00+01' as seen")
    call = "from tanon.date_hierarchy('t', 'seen', ['year']{})"
    rows = con.execute(call.format(", tz := 'Europe/Berlin', star := false")).fetchall()
    assert [general for *_, general in rows] == ["2024"]
    with pytest.raises(duckdb.Error, match="tz must be the name of a time zone"):
        con.execute(call.format("")).fetchall()


@pytest.mark.parametrize(
    ("granularities", "said"),
    [
        ("['week', 'month']", "granularities must be coarser on each level, got 2024-W05 of week"),
        ("['business_day']", "granularities must cover every date, got business_day and 2024-"),
        ("['business_day', 'month', 'year']", "must cover every date, got business_day and 2024-"),
        ("['5 years', 'yaer']", "granularities must be built-in ones or .*'yaer'.*mean 'year'"),
    ],
)
def test_refused(con, granularities, said):
    con.execute("create table t as select date '2024-01-01' + i::int as d from range(90) as r(i)")
    with pytest.raises(duckdb.Error, match=said):
        con.execute(f"from tanon.date_hierarchy('t', 'd', {granularities})").fetchall()
