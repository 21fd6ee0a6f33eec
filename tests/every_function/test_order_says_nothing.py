"""What is released hangs on the rows alone: files of a shuffled source are the same bytes."""

import pytest
from every_function.examples import FUNCTIONS, tables_of
from every_function.test_files_door import plain_call

from tanon_duck.doors.files.outputs import write_arrow
from tanon_duck.macros import catalog
from tanon_duck.quoting import literal

PUBLISHERS = [n for n in FUNCTIONS if catalog.function(n).header.audience == "others"]


def files(con, name, folder):
    """The bytes of the release as CSV, Parquet and Arrow."""
    call = plain_call(catalog.function(name))
    found = []
    for ending in ("csv", "parquet"):
        path = folder / f"release.{ending}"
        con.execute(f"copy ({call}) to {literal(str(path))} (format {ending})")
        found.append(path.read_bytes())
    write_arrow(con.sql(call), folder / "release.arrow")
    return [*found, (folder / "release.arrow").read_bytes()]


@pytest.mark.parametrize("name", PUBLISHERS)
def test_a_shuffled_source_gives_the_same_files(demo_con, name, tmp_path):
    demo_con.execute("set threads = 1")
    wanted = files(demo_con, name, tmp_path)
    for threads, order in ((1, "desc"), (2, "asc"), (2, "desc")):
        demo_con.execute(f"set threads = {threads}")
        for table in tables_of(name):
            demo_con.execute(
                f"create or replace table {table} as "
                f"select t.* from {table} as t order by sha256(t::varchar) {order}"
            )
        assert files(demo_con, name, tmp_path) == wanted
