"""Attacks on tanon.publish_series_parts: join two halves, and read below the NULLs of Arrow."""

import numpy as np
import pyarrow as pa
import pytest
from attacks import series_walks
from attacks.judging import assert_breaks, assert_holds

from tanon_duck.interfaces.files.outputs import write_arrow

HALVES = ("[1, 2, 3, 4], [1, 2, 3, 4]", "[5, 6, 7, 8], [5, 6, 7, 8]")


def joined_classes(con, owner):
    """Classes of the one half that lead to one class of the other."""
    for name, half in zip("ab", HALVES, strict=True):
        con.execute(
            f"create or replace table {name} as from "
            f"tanon.publish_series_parts('published_incomes', {half}"
            f"{', for_owner := true' if owner else ''})"
        )
    shared = con.execute(
        "select a.column_name from (describe a) as a join (describe b) as b using (column_name) "
        "where column_name in ('k_group', 'p_group')"
    ).fetchall()
    if not shared:
        return 0
    return con.execute(
        "select count(*) from (select p_group from a join b using (k_group, p_group) "
        "group by p_group having count(distinct (b.low, b.word)) = 1)"
    ).fetchall()[0][0]


@pytest.mark.quick
def test_two_halves_share_no_number(demo_con):
    assert joined_classes(demo_con, owner=False) == 0


@pytest.mark.quick
def test_control_group_numbers_join_all_classes(demo_con):
    assert joined_classes(demo_con, owner=True) == 15


ROWS = 5000
RELEASE = (
    "create table wide as select [1000.03 + g + 0.1 * i for i in range(1, 9)] as low, "
    "[500000.07 + g + 0.1 * i for i in range(1, 9)] as high, 'abcdabcd' as word, 4 as level, "
    f"if(g % 3 = 0, null, g / 7) as kept from (select (range // 5)::double as g from range({ROWS}))"
)
TAILORED = "from tanon.publish_series_parts('wide', [1, 2, 3, 4], [1, 2, 3, 4], domain := false{})"
BROKEN = (
    "select list_transform(low, lambda x, i: case when i <= 4 then x end) as low, "
    "list_transform(high, lambda x, i: case when i <= 4 then x end) as high, word, level "
    "from wide order by low, high, word"
)


def withheld(con):
    """The numbers that the release at hand must not show, anywhere in its bytes."""
    rows = con.execute("select low[5:], high[5:] from wide").fetchall()
    return np.unique([number for row in rows for ends in row for number in ends])


def read_from(table, secrets):
    """How many withheld numbers an adversary finds who reads all memory of a table."""
    buffers = [b for c in table.columns for chunk in c.chunks for b in chunk.buffers() if b]
    words = [np.frombuffer(b, np.uint8)[: b.size // 8 * 8].view(np.float64) for b in buffers]
    return sum(int(np.isin(numbers, secrets).sum()) for numbers in words)


def read_from_file(con, sql, path, secrets):
    """The same for the bytes of an Arrow file as the files door writes it."""
    write_arrow(con.sql(sql), path)
    content = np.frombuffer(path.read_bytes(), np.uint8)
    content = content[: content.size // 8 * 8].view(np.float64)  # its buffers are so aligned
    with pa.ipc.open_file(str(path)) as file:
        assert file.read_all().num_rows == ROWS
    return int(np.isin(content, secrets).sum())


def test_nothing_withheld_lies_under_null(con, tmp_path):
    con.execute("set threads = 1")
    con.execute(RELEASE)
    secrets = withheld(con)
    for more in ("", ", keep := 'kept', allow_identifying := 'kept'"):
        assert read_from_file(con, TAILORED.format(more), tmp_path / "o.arrow", secrets) == 0
        again = f"from ({TAILORED.format(more)}) order by level, low"
        assert read_from_file(con, again, tmp_path / "o.arrow", secrets) == 0
    assert read_from_file(con, BROKEN, tmp_path / "o.arrow", secrets) == 0


def extremes_in(con, more, path):
    """How many of the least and greatest ends of withheld positions are in the bytes."""
    con.execute(RELEASE)
    ends = con.execute(
        "select min(low[p]), max(high[p]) from wide, unnest(range(5, 9)) as t(p) group by p"
    ).fetchall()
    write_arrow(con.sql(TAILORED.replace("domain := false", more).format("")), path)
    content = path.read_bytes()
    numbers = np.frombuffer(content[: len(content) // 8 * 8], np.float64)
    return sum(bool(np.isin(end, numbers)) for both in ends for end in both)


def test_who_reaches_an_extreme_that_is_withheld_is_not_told(con, tmp_path):
    assert extremes_in(con, "domain := false", tmp_path / "o.arrow") == 0


def test_control_the_domain_tells_every_extreme(con, tmp_path):
    assert extremes_in(con, "domain := true", tmp_path / "o.arrow") == 8


def in_source_order(con, sql):
    """How many rows are at the place where a source in an order of persons has them."""
    con.execute(
        "create or replace table told as select *, row_number() over () as place "
        "from (from published_incomes order by sha256(charity::varchar))"
    )
    return series_walks.hits_by_place(con, sql)


def test_rows_do_not_stand_where_the_source_has_them(demo_con):
    call = (
        f"from tanon.publish_series_parts('told', {HALVES[0]}, keep := 'place', "
        f"allow_identifying := 'place')"
    )
    assert_holds(*in_source_order(demo_con, call))


def test_control_rows_in_the_order_of_the_source_are_all_found(demo_con):
    assert_breaks(*in_source_order(demo_con, "from told"))


def test_control_plain_arrow_shows_what_lies_under_null(con):
    con.execute("set threads = 1")
    con.execute(RELEASE)
    secrets = withheld(con)
    assert sum(read_from(con.sql(BROKEN).to_arrow_table(), secrets) for _ in range(5)) > 100


def charities_in(con, more, path):
    """How many values of a column that nobody declared are found in the bytes of the release."""
    con.execute(
        "create table told as select * replace ('no. ' || charity || ';' as charity) "
        "from published_incomes"
    )
    write_arrow(con.sql(f"from tanon.publish_series_parts('told', {HALVES[0]}{more})"), path)
    content = path.read_bytes()
    told = con.execute("select distinct charity from told").fetchall()
    return sum(charity.encode() in content for (charity,) in told) / len(told)


def test_what_nobody_declared_stays_home(demo_con, tmp_path):
    assert charities_in(demo_con, "", tmp_path / "o.arrow") == 0


def test_control_a_column_that_is_accepted_leaves(demo_con, tmp_path):
    more = ", keep := 'charity', allow_identifying := 'charity'"
    assert charities_in(demo_con, more, tmp_path / "o.arrow") == 1
