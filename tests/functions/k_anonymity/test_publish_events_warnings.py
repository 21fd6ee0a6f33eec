"""The warnings of tanon.publish_events: each on a table that earns it, and on no other."""

import pytest

CALL = (
    "select warning, affects, respondents, round(share, 3) from tanon.publish_events("
    "'t', respondent := 'u', qi := 'q', ts := 't', granularities := ['day'], k := 5, {more}, "
    "result := 'warnings')"
)


def warnings(con, rows, more):
    con.execute(f"create or replace table t as {rows}")
    return con.execute(CALL.format(more=more)).fetchall()


def test_nothing_is_said_of_a_harmless_release(con):
    rows = "select range as u, 1 as q, date '2024-01-01' as t, range % 2 as v from range(20)"
    assert warnings(con, rows, "keep := ['v']") == []


@pytest.mark.parametrize(
    ("column", "wanted"),
    [
        ("if(i < 3, i, 9) as v", ("singles out", "v", 3, 0.15)),
        ("i // 10 as v", ("one value", "v", 20, 1.0)),
        ("date '2024-01-01' + (i % 2)::int as v", ("further time", "v", 20, 1.0)),
        ("[i % 2] as v", ("nested", "v", 20, 1.0)),
    ],
)
def test_a_kept_column_that_tells_too_much(con, column, wanted):
    rows = f"select i as u, i // 10 as q, date '2024-01-01' as t, {column} from range(20) as r(i)"
    assert wanted in warnings(con, rows, "keep := ['v'], allow_identifying := ['v']")


def test_columns_that_tell_more_together(con):
    rows = (
        "select i as u, 1 as q, date '2024-01-01' as t, i % 4 as v, i // 4 as w "
        "from range(20) as r(i)"
    )
    assert warnings(con, rows, "keep := ['v', 'w']") == [("together", None, 20, 1.0)]


def test_respondents_of_several_rows_and_of_none(con):
    rows = (
        "select i % 20 as u, 1 as q, date '2024-01-01' + (i // 20)::int as t from range(40) as r(i)"
        " union all select 99, 1, date '2024-03-01'"
    )
    assert warnings(con, rows, "max_suppression := 0.1") == [
        ("several rows", None, 20, 1.0),
        ("nobody left", None, 1, 0.048),
    ]


def test_no_granularity_will_do(con):
    rows = "select range as u, 1 as q, date '2024-01-01' + range::int as t from range(8)"
    assert warnings(con, rows, "max_suppression := 0.1")[0] == ("not acceptable", None, 8, 1.0)
