"""What is released hangs on the rows alone: files of a shuffled source are the same bytes."""

import duckdb
import pytest
from every_function.examples import FUNCTIONS, tables_of
from every_function.test_files_door import plain_call

from tanon_duck import quoting
from tanon_duck.interfaces.files.outputs import write_arrow
from tanon_duck.macros import catalog
from tanon_duck.quoting import literal

PUBLISHERS = [n for n in FUNCTIONS if catalog.function(n).header.answer().audience == "others"]


def files(con, name, folder):
    """The bytes of the release as CSV, Parquet and Arrow, or why there is none."""
    call = plain_call(catalog.function(name))
    found = []
    for ending in ("csv", "parquet"):
        path = folder / f"release.{ending}"
        con.execute(f"copy ({call}) to {literal(str(path))} (format {ending})")
        found.append(path.read_bytes())
    write_arrow(con.sql(call), folder / "release.arrow")
    return [*found, (folder / "release.arrow").read_bytes()]


def files_or_refusal(con, name, folder):
    try:
        return files(con, name, folder)
    except duckdb.Error as error:
        return str(error)


def shuffle(con, table, order):
    con.execute(
        f"create or replace table {table} as "
        f"select t.* from {table} as t order by sha256(t::varchar) {order}"
    )


def text(column, seed):
    """A text that equals another but is written otherwise."""
    written = f"if(hash(rowid, '{column}', {seed}) % 2 = 0, upper({column}), {column})"
    return f"{written} collate nocase as {column}"


def some(column, value, seed):
    return f"if(hash(rowid, '{column}', {seed}) % 31 = 7, null, {value}) as {column}"


def make_alike(con, seed):
    """Rows that are equal, nearly equal or written otherwise: where an order has to decide."""
    alike = {
        "visits": f"patient, date_trunc('day', admitted) as admitted, {text('zip', seed)}, "
        f"{some('age', 'age // 10', seed)}, sex, {text('diagnosis', seed)}",
        "cases": f"day, person, {some('age', 'age // 10', seed)}, {text('district', seed)}, "
        f"{text('disease', seed)}",
        "incomes": "name, list_transform(incomes, lambda x: round(x / 5) * 5) as incomes, "
        f"if(hash(name, {seed}) % 2 = 0, charity // 100 * 100, charity) as charity",
    }
    for table, columns in alike.items():
        twice = "" if table == "incomes" else " union all from alike where hash(alike) % 3 = 0"
        con.execute(
            f"create or replace table {table} as "
            f"with alike as (select {columns} from {table}) from alike{twice}"
        )
    con.execute(quoting.without_comments(catalog.file_text("statements/published_incomes.sql")))


@pytest.mark.parametrize("name", PUBLISHERS)
def test_a_shuffled_source_gives_the_same_files(demo_con, name, tmp_path):
    demo_con.execute("set threads = 1")
    wanted = files(demo_con, name, tmp_path)
    for threads, order in ((1, "desc"), (2, "asc"), (2, "desc")):
        demo_con.execute(f"set threads = {threads}")
        for table in tables_of(name):
            shuffle(demo_con, table, order)
        assert files(demo_con, name, tmp_path) == wanted


@pytest.mark.parametrize("name", PUBLISHERS)
@pytest.mark.parametrize("seed", range(3))
def test_so_do_rows_that_are_hard_to_tell_apart(demo_con, name, seed, tmp_path):
    make_alike(demo_con, seed)
    demo_con.execute("set threads = 1")
    wanted = files_or_refusal(demo_con, name, tmp_path)
    for threads in (1, 2):
        demo_con.execute(f"set threads = {threads}")
        for table in tables_of(name):
            shuffle(demo_con, table, "desc")
        assert files_or_refusal(demo_con, name, tmp_path) == wanted
