"""tanon.list_hierarchy: all as one, or in the groups that are given."""

import duckdb
import pytest

from oracles.hierarchies import assert_nested, by_level


def test_without_groups_there_is_only_a_star(con):
    con.execute("create table t as select unnest(['a', 'b', null, 'a', '']) as x")
    rows = con.execute("from tanon.list_hierarchy('t', 'x')").fetchall()
    assert sorted(rows) == [("x", 1, "", "*"), ("x", 1, "a", "*"), ("x", 1, "b", "*")]


def test_with_groups(con):
    con.execute("create table t as select unnest(['it''s', 'b', 'c', null]) as \"o'x\"")
    groups = {"it's": "one", "b": "one", "c": "two", "not there": "two"}
    call = """from tanon.list_hierarchy('t', 'o''x', groups := $groups)"""
    levels = by_level(con.execute(call, {"groups": groups}).fetchall())
    assert_nested(levels, ["it's", "b", "c"])
    assert levels == [{v: groups[v] for v in levels[0]}, dict.fromkeys(levels[0], "*")]


def test_a_value_without_a_group_is_named(con):
    con.execute("create table t as select unnest(['a', 'b', 'c']) as x")
    for given in ("{'a': 'g'}", "{'z': 'g'}"):
        with pytest.raises(
            duckdb.Error, match=r"groups must hold every value, got \d values without"
        ):
            con.execute(f"from tanon.list_hierarchy('t', 'x', groups := {given})").fetchall()
    for wrong in ("{'a': 'g', 'b': 'g', 'c': null}", "{'a': 'g', 'b': 'g'}"):
        with pytest.raises(duckdb.Error, match=r"got 1 values without a group, such as c$"):
            con.execute(f"from tanon.list_hierarchy('t', 'x', groups := {wrong})").fetchall()
    con.execute("insert into t values ('asthma')")
    with pytest.raises(duckdb.Error, match="such as asthma; did you mean 'astma'"):
        given = "{'a': 'g', 'b': 'g', 'c': 'g', 'astma': 'g'}"
        con.execute(f"from tanon.list_hierarchy('t', 'x', groups := {given})").fetchall()
    with pytest.raises(duckdb.Error, match="star must be true if groups is not given"):
        con.execute("from tanon.list_hierarchy('t', 'x', star := false)")
