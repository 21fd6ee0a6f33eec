"""tanon.generalize against labels by plain date arithmetic."""

import duckdb
import pytest

from oracles.dated_rows import (
    COLUMNS,
    create_calendar,
    create_rows,
    dated_rows,
    label,
)


@pytest.mark.parametrize("granularity", ["minute", "week", "2 weeks", "decade", "shift"])
def test_every_row_with_its_label(con, granularity):
    create_calendar(con)
    for seed in range(6):
        rows = dated_rows(seed)
        create_rows(con, rows)
        found = con.execute(
            "from tanon.generalize('events', ts := 'when', granularity := ?, "
            "calendar := 'calendar')",
            [granularity],
        ).fetchall()
        labelled = [{**row, "when": label(granularity, row["when"])} for row in rows]
        wanted = [tuple(row[c] for c in COLUMNS) for row in labelled]
        assert sorted(found, key=repr) == sorted(wanted, key=repr)


def test_columns_keep_their_names_order_and_types(demo_con):
    call = "describe from tanon.generalize('visits', ts := 'admitted', granularity := 'week')"
    described = [tuple(row[:2]) for row in demo_con.execute(call).fetchall()]
    given = [tuple(row[:2]) for row in demo_con.execute("describe visits").fetchall()]
    assert described == [(n, "VARCHAR" if n == "admitted" else t) for n, t in given]


def test_nothing_is_left_out(con):
    create_rows(con, dated_rows(4))
    con.execute("insert into events values ('a', 1, 'x', '2024-03-02', 'n')")
    with pytest.raises(duckdb.Error, match=r"tanon.generalize: granularity must cover every time"):
        con.execute(
            "from tanon.generalize('events', ts := 'when', granularity := 'business_week')"
        ).fetchall()
