"""Scores through SQL against the scores of the algorithm, which has oracles of its own."""

import numpy as np
import pytest
import series_tables

from tanon_duck.algorithms import workload

CALL = (
    "from tanon.evaluate_series('released', 'original', series_id := 'id', series := 'series', "
    "queries := 60{})"
)
NAN = float("nan")


@pytest.fixture
def series(con):
    walks = series_tables.walks(150, 5, 3)
    series_tables.load(con, walks, [0] * 150, keep_id=True)
    return walks


def scores(con, more=""):
    return con.execute(CALL.format(more)).fetchall()


def expected(con, series, plan):
    rows = con.execute(
        "select low, high, word, level, list(id) from released group by all order by all"
    ).fetchall()
    class_of = np.full(len(series), -1)
    for number, row in enumerate(rows):
        class_of[row[4]] = number
    found = np.array([[ord(c) - 97 for c in row[2]] for row in rows], dtype=np.uint8)
    low, high, levels = (np.array([row[i] for row in rows]) for i in (0, 1, 3))
    published = workload.Published(low, high, found, levels, class_of)
    return [tuple(vars(s).values()) for s in workload.evaluate(series, published, plan)]


def agree(got, wanted):
    for one, other in zip(got, wanted, strict=True):
        assert one[:2] + one[6:] == other[:2] + other[6:]
        numbers = [NAN if value is None else value for value in one[2:6]]
        assert numbers == pytest.approx(list(other[2:6]), nan_ok=True)


def test_equals_the_algorithm(con, series):
    agree(scores(con), expected(con, series, workload.Plan(60, 0.25, 0.05, 0)))
    more = ", tolerance := 0.6, selectivity := 0.3, seed := 7"
    agree(scores(con, more), expected(con, series, workload.Plan(60, 0.6, 0.3, 7)))
    assert [row[0] for row in scores(con)] == [
        "pattern similarity",
        "pattern range",
        "value range",
        "complex",
    ]


def test_suppressed_series_cost_recall(con, series):
    before = scores(con)[0]
    con.execute("delete from released where id % 2 = 0")
    agree(scores(con), expected(con, series, workload.Plan(60, 0.25, 0.05, 0)))
    assert scores(con)[0][3] < before[3]


def test_row_order_and_threads_do_not_matter(con, series):
    wanted = scores(con)
    for table in ("released", "original"):
        con.execute(f"create or replace table {table} as from {table} order by hash(id)")
    con.execute("set threads = 1")
    assert scores(con) == wanted


def test_wide_columns_and_empty_tables(con, series):
    wanted = scores(con)
    columns = ", ".join(f"series[{i}] as v{i}" for i in range(1, 6))
    con.execute(f"create table wide as select id, {columns} from original")
    wide = CALL.format("").replace("original", "wide")
    wide = wide.replace("'series'", "['v1', 'v2', 'v3', 'v4', 'v5']")
    assert con.execute(wide).fetchall() == wanted
    con.execute("delete from released")
    assert scores(con) == []


DAMAGES = [
    ("update released set id = 999 where id = 3", "release must be made of source, .* got 1 ids"),
    ("update released set id = 3 where id = 4", "release must be made of source"),
    ("delete from original where id = 3", "release must be made of source"),
    ("alter table released drop id", "series_id must be a column of release"),
    (
        "update released set word = '.' || word[2:] where id = 1",
        "release must have whole ranges and words, got 1 rows",
    ),
    (
        "update released set low = list_prepend(null, low[2:])",
        "release must have whole ranges and words",
    ),
    ("update original set series = series[2:] where id = 1", "source must fit published"),
]


@pytest.mark.parametrize(("damage", "message"), DAMAGES)
def test_original_and_release_that_do_not_fit(con, series, damage, message):
    con.execute(damage)
    with pytest.raises(Exception, match=f"tanon.evaluate_series: {message}"):
        scores(con)


BAD = [
    ("queries := 0", "queries must be an integer in"),
    ("tolerance := 3", "tolerance must be a number in"),
    ("selectivity := 0", "selectivity must be a number in"),
]


@pytest.mark.parametrize(("argument", "message"), BAD)
def test_wrong_arguments(con, series, argument, message):
    with pytest.raises(Exception, match=f"tanon.evaluate_series: {message}"):
        con.execute(CALL.replace("queries := 60{}", argument)).fetchall()


def test_an_id_with_a_name_of_the_release_is_refused(con):
    with pytest.raises(
        Exception, match=r"tanon.evaluate_series: series_id must be a column with another"
    ):
        con.execute(
            "from tanon.evaluate_series("
            "'(select [1.0] as low, [1.0] as high, ''a'' as word, 1 as level)', "
            "'(select 1 as level, [1.0, 2] as s)', "
            "series_id := 'level', series := 's')"
        )
