"""tanon.parent_hierarchy against following parents by hand."""

import duckdb
import pytest

from oracles.hierarchies import assert_nested, by_level

PARENTS = [("d1", "r1", "c"), ("d2", "r1", "c"), ("d3", "r2", "c"), ("d4", "r3", "k")]
CALL = "from tanon.parent_hierarchy('t', 'd', 'p', 'district', ['region', 'country'])"


@pytest.fixture
def tables(con):
    con.execute("create table t as select unnest(['d1', 'd2', 'd3', null, 'd1']) as d")
    con.execute("create table p (district varchar, region varchar, country varchar)")
    con.executemany("insert into p values (?, ?, ?)", [*PARENTS, PARENTS[0]])
    return con


def test_parents_of_parents(tables):
    levels = by_level(tables.execute(CALL).fetchall())
    assert_nested(levels, ["d1", "d2", "d3"])
    for place in (1, 2):
        assert levels[place - 1] == {row[0]: row[place] for row in PARENTS[:3]}
    assert set(levels[2].values()) == {"*"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("insert into t values ('d9')", "parents must hold every value, got 1 .* such as d9"),
        ("delete from p", "parents must hold every value, got 3"),
        (
            "update p set region = null where district = 'd2'",
            "parents must be free of NULL, got d2",
        ),
        ("insert into p values ('d2', 'r9', 'c')", "several in region for d2"),
        ("update p set country = 'k' where district = 'd2'", "got r1 of region in more than one"),
        ("alter table p rename district to distrikt", "child must be a column of parents"),
    ],
)
def test_what_is_no_tree_is_refused(tables, change, said):
    tables.execute(change)
    with pytest.raises(duckdb.Error, match=said):
        tables.execute(CALL).fetchall()
