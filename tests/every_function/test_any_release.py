"""Every function that reads a release, on releases as they come: the demo's, emptied, shuffled."""

import pytest
from every_function.examples import FUNCTIONS, example, rows, rows_of_example, run_or_refuse

from tanon_duck.quoting import identifier, literal

READERS = [name for name in FUNCTIONS if "published_incomes" in example(name)]
HOSTILE = ['a"b', "o'x", "select", "Ünïcode", "two words", "a.b", "x; drop table y", "{qi}"]


@pytest.mark.parametrize("name", READERS)
def test_empty_and_one_row(demo_con, name):
    demo_con.execute("create or replace table published_incomes as from published_incomes limit 1")
    run_or_refuse(demo_con, name)
    demo_con.execute("delete from published_incomes")
    run_or_refuse(demo_con, name)


@pytest.mark.parametrize("name", READERS)
def test_one_column_after_the_other_full_of_null(demo_con, name):
    for column, *_ in demo_con.execute("describe published_incomes").fetchall():
        demo_con.execute("begin")
        demo_con.execute(
            f"update published_incomes set {column} = null where hash({column}) % 3 = 0"
        )
        run_or_refuse(demo_con, name)
        demo_con.execute("rollback")


@pytest.mark.parametrize("name", READERS)
def test_shuffled_rows_and_threads(demo_con, name):
    demo_con.execute("set threads = 1")
    wanted = rows(demo_con, example(name))
    assert wanted
    demo_con.execute("set threads = 4")
    for order in ("desc", "asc"):
        for table in ("published_incomes", "incomes"):
            demo_con.execute(
                f"create or replace table {table} as "
                f"select t.* from {table} as t order by hash(t::varchar) {order}"
            )
        assert rows(demo_con, example(name)) == wanted


@pytest.mark.parametrize("name", [n for n in READERS if "('published_incomes'" in example(n)])
@pytest.mark.parametrize("table", HOSTILE)
def test_hostile_names_of_the_release(demo_and_more, name, table):
    wanted = rows_of_example(name)
    demo_and_more.execute(f"create table {identifier(table)} as from published_incomes")
    hostile = example(name).replace("'published_incomes'", literal(identifier(table)))
    assert rows(demo_and_more, hostile) == wanted
