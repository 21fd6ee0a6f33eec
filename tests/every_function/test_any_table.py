"""Every function on tables as they come: empty, one row, full of NULL, with hostile names."""

import re

import duckdb
import pytest
from every_function.examples import (
    DEMO_TABLES,
    EXAMPLES,
    example,
    function_of,
    reads_demo_tables,
    rows,
    rows_of_example,
    run_or_refuse,
    tables_of,
    without_column_names,
)

from tanon_duck.quoting import identifier, literal

READERS = [name for name in EXAMPLES if reads_demo_tables(name)]
OF_CLOCKS = [
    name
    for name in READERS
    if function_of(name).header.argument("tz") and "ts := " in example(name)
]
# One goes by the names of columns, the others have names in the text of a query.
NAMES_MATTER = ("suggest_roles", "presence_metrics", "tune_events")
HOSTILE = ['a"b', "o'x", "select", "Ünïcode", "two words", "a.b", "x; drop table y", "{qi}", "ts"]


@pytest.mark.parametrize("name", READERS)
def test_empty_tables(demo_con, name):
    for table in DEMO_TABLES:
        demo_con.execute(f"delete from {table}")
    run_or_refuse(demo_con, name)


@pytest.mark.parametrize("name", OF_CLOCKS)
def test_an_empty_table_of_instants_wants_its_clock_as_well(demo_con, name):
    demo_con.execute("delete from visits; alter table visits alter admitted type timestamptz")
    # Where the example calls two functions, threads decide which is the first to say so.
    called = "|".join(re.findall(r"tanon\.(\w+)\(", example(name)))
    with pytest.raises(
        duckdb.Error, match=rf"tanon\.({called}): tz must be the name of a time zone"
    ):
        rows(demo_con, example(name))


@pytest.mark.parametrize("name", READERS)
def test_tables_of_one_row(demo_con, name):
    for table in DEMO_TABLES:
        demo_con.execute(f"create or replace table {table} as from {table} order by all limit 1")
    run_or_refuse(demo_con, name)


@pytest.mark.sweep
@pytest.mark.parametrize("name", READERS)
def test_one_column_after_the_other_full_of_null(demo_con, name):
    for table in tables_of(name):
        for column, *_ in demo_con.execute(f"describe {table}").fetchall():
            demo_con.execute("begin")
            demo_con.execute(f"update {table} set {column} = null where hash({column}) % 3 = 0")
            run_or_refuse(demo_con, name)
            demo_con.execute("rollback")


@pytest.mark.sweep
@pytest.mark.parametrize("name", [name for name in READERS if name not in NAMES_MATTER])
@pytest.mark.parametrize("shift", range(0, len(HOSTILE), 3))
def test_hostile_names_change_nothing(demo_and_more, name, shift):
    wanted = rows_of_example(name)
    hostile = example(name)
    for table in tables_of(name):
        names = [c for c, *_ in demo_and_more.execute(f"describe {table}").fetchall()]
        renamed = {c: HOSTILE[(i + shift) % len(HOSTILE)] for i, c in enumerate(names)}
        new_table = HOSTILE[(len(names) + shift) % len(HOSTILE)] + f" of {table}"
        columns = ", ".join(f"{identifier(c)} as {identifier(renamed[c])}" for c in names)
        demo_and_more.execute(
            f"create table {identifier(new_table)} as select {columns} from {table}"
        )
        if f"'{table}'" in hostile:
            quoted = literal(identifier(new_table))
            # A table stands alone; behind := the same word is a column.
            hostile = re.sub(f"(?<!:= )'{table}'", lambda _, new=quoted: new, hostile)
            for column, new in renamed.items():
                hostile = hostile.replace(f"'{column}'", literal(new))
                hostile = _rename_in_order(hostile, column, new)
    assert hostile != example(name)
    found = rows(demo_and_more, hostile)
    found, wanted = without_column_names(name, found), without_column_names(name, wanted)
    assert sorted(map(repr, found)) == sorted(map(repr, wanted))
    assert demo_and_more.execute("select count(*) from visits").fetchall() == [(450,)]


def _rename_in_order(sql, column, new):
    """A column that the example sorts by is a bare word there."""
    head, order, tail = sql.rpartition("order by")
    words = [identifier(new) if w.strip(",") == column else w for w in tail.split(" ")]
    return head + order + " ".join(words)
