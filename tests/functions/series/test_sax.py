"""Words through SQL: every chunk, every length, every level, and what is refused."""

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from oracles import sax as slow
from oracles.example_tables import random_series


def word(con, series, level="3", segments=""):
    return con.execute(f"select tanon.sax({series}, {level}{segments})").fetchall()[0][0]


def test_a_table_of_series_equals_plain_loops(con):
    series = random_series("walk", 5000, 7, seed=1)
    con.register("t", pa.table({"i": range(5000), "s": series.tolist()}))
    found = con.execute("select tanon.sax(s, 5) from t order by i").fetchall()
    assert [w for (w,) in found] == [slow.word(row, 5) for row in series.tolist()]


def test_lengths_levels_and_null_mix_within_a_chunk(con):
    flat = [1.0, 1.0, 1.0]
    rows = [([1.0, 2.0, 3.0], 2), ([3.0, 2.0], 4), (None, 3), (flat, 3), ([5.0, 1.0], None)]
    listed = ", ".join(f"({s or 'null'}::double[], {n or 'null'})" for s, n in rows)
    found = con.execute(f"select tanon.sax(s, n) from (values {listed}) as t(s, n)").fetchall()
    assert [w for (w,) in found] == [
        None if s is None or n is None else slow.word(s, n) for s, n in rows
    ]


def test_whole_numbers_and_decimals_are_series_too(con):
    assert word(con, "[1, 2, 3, 4]") == "abbc" == word(con, "[1.5, 2.5, 3.5, 4.5]")


def test_segments_average_first(con):
    assert word(con, "[1, 1, 9, 9, 5, 5]", "3", ", 3") == "acb"
    assert word(con, "[1, 2, 3]", "3", ", segments := 3") == word(con, "[1, 2, 3]")


@pytest.mark.parametrize(
    ("series", "level", "message"),
    [
        ("[1, 2]", "1", r"tanon\.sax: level must be an integer in \[2, 26\], got 1"),
        ("[1, 2]", "27", r"tanon\.sax: level must be an integer in \[2, 26\], got 27"),
        ("[1]", "3", r"tanon\.sax: series must be at least 2 readings, got 1"),
        ("[]::double[]", "3", r"tanon\.sax: series must be at least 2 readings, got 0"),
        ("[1, null]", "3", r"tanon\.sax: series must be finite readings, got 1"),
        ("[1, 'nan'::double, 'inf'::double]", "3", r"series must be finite readings, got 2"),
        ("[1, 2]", "3, 3", r"tanon\.sax: segments must be at most the 2 readings"),
        ("[1, 2]", "3, 0", r"tanon\.sax: segments must be an integer in"),
    ],
)
def test_bad_input_is_refused(con, series, level, message):
    with pytest.raises(Exception, match=message):
        word(con, series, level)


def test_threads_do_not_matter(con):
    series = np.random.default_rng(1).normal(size=(20_000, 5))
    con.register("t", pa.table({"i": range(20_000), "s": series.tolist()}))
    con.execute("create table u as from t")
    answers = []
    for threads in (1, 4):
        con.execute(f"set threads = {threads}")
        answers.append(con.execute("select i, tanon.sax(s, 6) from u order by i").fetchall())
    assert answers[0] == answers[1]


@pytest.mark.parametrize("type", ["bigint", "ubigint", "hugeint", "uhugeint"])
@pytest.mark.parametrize(
    "query",
    [
        "select tanon.sax(s, 3) from t",
        "select tanon.z_normalize(s) from t",
        "from tanon.publish_series('t', 'id', 's', 4, 2)",
        "from tanon.publish_series_ranges('t', 'id', ['first', 'second'], 4)",
        "from tanon.tune_series('t', 'id', 's', [4], [2], queries := 3)",
    ],
)
def test_whole_numbers_that_would_be_rounded_are_refused(con, query, type):
    con.execute(
        "create table t as select i as id, [i, 9007199254740991 + (i >= 8)::bigint, i % 3] as s, "
        f"i as first, s[2]::{type} as second from range(9) t(i)"
    )
    con.execute(f"alter table t alter s type {type}[]")
    with pytest.raises(duckdb.InvalidInputException, match="must be whole numbers below 9007199"):
        con.execute(query).fetchall()
    con.execute("delete from t where id = 8")
    assert con.execute(query).fetchall()
    con.execute("alter table t alter s type double[]")
    con.execute("insert into t values (9, [1e30, 2, 3], 1, 2)")
    assert con.execute(query).fetchall()


def test_the_least_of_negative_numbers_is_told(con):
    with pytest.raises(duckdb.InvalidInputException, match="got -9007199254740994"):
        con.execute("select tanon.sax([1, -9007199254740994], 3)").fetchall()
