"""Arguments of streams: fractions, snapshots, and costs that are a rule or a table."""

import pytest

from tanon_duck.macros import kinds


def wrong(con, words, value):
    """The message about a value given in SQL, None if it is right."""
    message = kinds.parse(words).wrong("x", "'f: a must be it'", False)
    return con.execute(f"select {message} from (select {value} as x)").fetchall()[0][0]


@pytest.mark.parametrize(
    ("words", "right", "refused"),
    [
        (
            "rational >= 1",
            ["1", "2.5", "'5/2'", "' 3 '", "'10/10'", "2::decimal(9, 3)"],
            ["0.9", "'5/0'", "'1/2'", "'x'", "-2", "null", "'1e3'", "'5/2/1'", "1e300"],
        ),
        (
            "rational > 1",
            ["2.5", "'5/2'", "' 3 '", "'10/9'", "1.000000001", "2::decimal(9, 3)"],
            ["1", "'1.0'", "'10/10'", "0.9", "'5/0'", "'x'", "-2", "null", "'1e3'"],
        ),
        (
            "snapshots",
            ["'day'", "'3 days'", "'90 minutes'", "'week_sunday'", "'2 decades'", "7", "'7'"],
            ["'days of May'", "'0 days'", "0", "-3", "''", "'business_day'", "1.5"],
        ),
        (
            "formula or relation(distance, cost)",
            ["'d'", "'d^2'", "'2.5*d'", "' 2 * d ^ 3 '", "'costs'", "'(select 1)'", "'a.b'"],
            ["'log(d)'", "'d^0'", "'d+1'", "'-d'", "''", "3"],
        ),
        (
            "number or relation(value, cost)",
            ["3", "0.5", "'7'", "'prices'", "'(select 1)'"],
            ["0", "-1", "'-1'", "'x*y'", "''", "'nan'::double"],
        ),
    ],
)
def test_right_and_wrong_values(con, words, right, refused):
    assert [value for value in right if wrong(con, words, value) is not None] == []
    assert [value for value in refused if wrong(con, words, value) is None] == []


def test_the_message_says_what_is_allowed():
    said = kinds.parse("number or relation(value, cost)").allowed
    assert said == "a number > 0 or a table with columns value, cost"
    assert kinds.parse("rational >= 1").allowed.startswith(
        "a rational number of at least 1 such as"
    )
    assert kinds.parse("rational > 1").allowed.startswith("a rational number greater than 1 such")


@pytest.mark.parametrize(
    ("l", "fraction"), [("3", (3, 1)), ("2.50", (250, 100)), ("5/2", (5, 2)), (" 7 / 3 ", (7, 3))]
)
def test_fractions(con, l, fraction):  # noqa: E741
    sql = "select tanon._numerator($l)::bigint, tanon._denominator($l)::bigint"
    assert con.execute(sql, {"l": l}).fetchall() == [fraction]


@pytest.mark.parametrize(
    ("granularity", "before", "start"),
    [
        ("week", "2024-03-10 23:59:59", "2024-03-04 00:00:00"),
        ("week_sunday", "2024-03-09 23:59:59", "2024-03-03 00:00:00"),
        ("3 days", "1999-12-31 12:00:00", "1999-12-31 00:00:00"),
        ("six_hours", "1969-12-31 23:00:00", "1969-12-31 18:00:00"),
        ("quarter", "0001-03-31 00:00:00", "0001-01-01 00:00:00"),
        ("decade", "1999-12-31 00:00:00", "1990-01-01 00:00:00"),
        ("5 months", "2000-06-01 00:00:00", "2000-06-01 00:00:00"),
    ],
)
def test_first_instants(con, granularity, before, start):
    pace = con.execute("select tanon._pace($g)", {"g": granularity}).fetchall()[0][0]
    sql = (
        f"select tanon._snapshot_start(t, tanon._snapshot(t, {pace}), {pace})::varchar "
        f"from (select timestamp '{before}' as t)"
    )
    assert con.execute(sql).fetchall() == [(start,)]


@pytest.mark.parametrize(
    "granularity",
    [
        *["second", "minute", "quarter_hour", "half_hour", "hour", "six_hours", "day", "week"],
        *["day_part", "week_sunday", "month", "quarter", "half_year", "year", "decade"],
        *["15 minutes", "7 hours", "3 days", "2 weeks", "5 months", "3 quarters", "4 years"],
    ],
)
def test_snapshots_are_granules(con, granularity):
    pace = con.execute("select tanon._pace($g)", {"g": granularity}).fetchall()[0][0]
    rows = con.execute(
        f"select tanon._snapshot_start(t, tanon._snapshot(t, {pace}), {pace}), "
        f"tanon.granule_start(t, '{granularity}') from ("
        "select timestamp '0100-01-01' + to_microseconds(i * 7919 * 104729 * 48611) as t "
        "from range(1500) as r(i))"
    ).fetchall()
    assert [row for row in rows if row[0] != row[1]] == []
