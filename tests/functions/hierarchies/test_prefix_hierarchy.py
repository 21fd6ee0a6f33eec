"""tanon.prefix_hierarchy against cutting each text by hand."""

import duckdb
import pytest
from drawn import examples
from hypothesis import given
from hypothesis import strategies as st

from oracles.hierarchies import assert_nested, by_level
from tanon_duck import connect

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=7)


@examples(25)
@given(values=st.sets(TEXTS, min_size=1), lengths=st.sets(st.integers(1, 6), min_size=1))
def test_as_cut_by_hand(values, lengths):
    lengths = sorted(lengths, reverse=True)
    with connect() as con:
        con.execute("create table t (x varchar)")
        con.executemany("insert into t values (?)", [[v] for v in values] + [[None]])
        call = "from tanon.prefix_hierarchy('t', 'x', $lengths)"
        levels = by_level(con.execute(call, {"lengths": lengths}).fetchall())
    assert_nested(levels, values)
    for level, length in zip(levels, lengths, strict=False):
        assert level == {v: v[:length] + "*" * max(len(v) - length, 0) for v in values}
    assert set(levels[-1].values()) == {"*"}


def test_numbers_as_they_are_written(con):
    rows = con.execute(
        "from tanon.prefix_hierarchy('(select 80331 as zip)', 'zip', [3], star := false)"
    ).fetchall()
    assert rows == [("zip", 1, "80331", "803**")]


def test_refused(con):
    con.execute("create table t as select 'a' as x")
    with pytest.raises(duckdb.Error, match=r"lengths must be fewer letters on each level"):
        con.execute("from tanon.prefix_hierarchy('t', 'x', [3, 4])")
    with pytest.raises(duckdb.Error, match=r"attribute must be a column of source, got 'y'"):
        con.execute("from tanon.prefix_hierarchy('t', 'y', [3])").fetchall()


@pytest.mark.parametrize("lengths", ["3", "'3'", "{'a': 3}", "[[3]]", "null"])
def test_what_is_no_list_is_refused(demo_con, lengths):
    message = "tanon.prefix_hierarchy: lengths must be a list of whole numbers above 0, none twice"
    with pytest.raises(duckdb.Error, match=message):
        demo_con.execute(f"from tanon.prefix_hierarchy('visits', 'zip', lengths := {lengths})")
