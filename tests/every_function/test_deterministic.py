"""Same input, same output: for any order of the rows and any number of threads."""

import pytest
from every_function.examples import FUNCTIONS, example, reads_demo_tables, rows, tables_of

READERS = [name for name in FUNCTIONS if reads_demo_tables(name)]


@pytest.mark.parametrize("name", READERS)
def test_shuffled_rows_and_threads(demo_con, name):
    demo_con.execute("set threads = 1")
    wanted = rows(demo_con, example(name))
    assert wanted or "violations" in name or "warnings" in name
    demo_con.execute("set threads = 4")
    assert rows(demo_con, example(name)) == wanted
    for order in ("desc", "asc"):
        for table in tables_of(name):
            demo_con.execute(
                f"create or replace table {table} as "
                f"select t.* from {table} as t order by hash(t::varchar) {order}"
            )
        assert rows(demo_con, example(name)) == wanted
