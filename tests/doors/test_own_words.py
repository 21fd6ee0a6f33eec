"""What Python functions refuse is told without DuckDB's own words about functions."""

import duckdb
import pytest

import tanon_duck

SENTENCES = {
    "select max(tanon.sax(s, 7, 4)) from many": (
        "tanon.sax: segments must be at most the 3 readings of a series, got 4"
    ),
    "select tanon.sax_series('abc', 2)": "tanon.sax_series: pr must be letters from a to b at "
    "level 2, got others",
    "from tanon.frequent_itemsets('(select i as tid, range(40) as item from range(99) t(i))', "
    "'tid', 'item', 5)": "tanon.frequent_itemsets: min_support must be high enough (or max_length "
    "low enough) for at most 30,000,000 itemsets, got about 1e+12",
}


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("statement", SENTENCES)
def test_a_refusal_is_the_sentence_alone(statement, threads) -> None:
    with tanon_duck.connect(config={"threads": threads}) as con:
        con.execute("create table many as select [1, 2, 3] as s from range(300_000)")
        for read in (con.execute, con.cursor().execute, lambda sql: con.sql(sql).fetchall()):
            with pytest.raises(duckdb.InvalidInputException) as refused:
                read(statement)
            assert str(refused.value) == f"Invalid Input Error: {SENTENCES[statement]}"


def test_functions_of_others_are_told_as_duckdb_does(con) -> None:
    def fails(_number: int) -> int:
        raise ValueError("tanon.sax: said by somebody else")

    con.create_function("fails", fails, ["INTEGER"], "INTEGER")
    with pytest.raises(duckdb.InvalidInputException, match="executing the UDF: ValueError: tanon"):
        con.execute("select fails(1)")
    assert duckdb.InvalidInputException("a", 1).args == ("a", 1)
    assert duckdb.InvalidInputException().args == ()
