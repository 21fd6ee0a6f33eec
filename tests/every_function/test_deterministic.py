"""Same input, same output: for any order of the rows and any number of threads."""

import pytest
from every_function.examples import (
    EXAMPLES,
    answer_of,
    example,
    function_of,
    reads_demo_tables,
    rows,
    tables_of,
)

READERS = [name for name in EXAMPLES if reads_demo_tables(name)]


@pytest.mark.sweep
@pytest.mark.parametrize("name", READERS)
def test_shuffled_rows_and_threads(demo_con, name):
    demo_con.execute("set threads = 1")
    wanted, function = rows(demo_con, example(name)), function_of(name)
    finds_nothing = function.header.holds or "warning" in answer_of(name).added_columns()
    assert wanted or finds_nothing, f"{function.file.name}: Example: must give rows"
    demo_con.execute("set threads = 4")
    assert rows(demo_con, example(name)) == wanted
    for order in ("desc", "asc"):
        for table in tables_of(name):
            demo_con.execute(
                f"create or replace table {table} as "
                f"select t.* from {table} as t order by hash(t::varchar) {order}"
            )
        assert rows(demo_con, example(name)) == wanted
