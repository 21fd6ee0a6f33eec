"""Rows as text, and what is left of them when the query fails."""

import io

import duckdb
import pytest

from tanon_duck.interfaces.text_rows import write_csv


@pytest.mark.parametrize("row", [0, 1000, 2500])
def test_a_query_that_fails_soon_prints_nothing(row):
    with duckdb.connect() as con:
        con.execute("set threads = 1")
        output = io.StringIO()
        failing = f"select if(range = {row}, error('too late'), range) from range(1000000)"
        with pytest.raises(duckdb.Error, match="too late"):
            write_csv(con.sql(failing), output)
        assert output.getvalue() == "" or row > 2048
        assert con.execute("select 1").fetchall() == [(1,)]


def test_without_rows_the_header_is_there():
    with duckdb.connect() as con:
        output = io.StringIO()
        write_csv(con.sql('select 1 as a, 2 as "b,c" where false'), output)
        assert output.getvalue() == 'a,"b,c"\n'
