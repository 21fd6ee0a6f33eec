"""tanon.roles: what is declared is shown, wherever the name leads."""

import duckdb
import pytest

from tanon_duck import set_roles


def roles(con, relation):
    rows = con.execute("from tanon.roles(?)", [relation]).fetchall()
    return {name: (role, how, kept) for name, _, role, how, kept in rows}


def test_every_column_is_shown_in_its_order(demo_con):
    assert roles(demo_con, "visits")["zip"] == (None, None, None)
    set_roles(demo_con, "visits", respondent="patient", quasi_identifiers={"zip": "prefixes 3"})
    rows = demo_con.execute("from tanon.roles('VISITS')").fetchall()
    described = demo_con.execute("describe visits").fetchall()
    assert [row[:2] for row in rows] == [row[:2] for row in described]
    assert roles(demo_con, "visits")["zip"] == ("quasi-identifier", "prefixes 3", "comment")


@pytest.mark.parametrize(
    "name",
    ["visits", "main.visits", "own.visits", "own.main.visits", '"VISITS"', "(from visits)"],
)
def test_every_way_to_name_a_table(demo_con, name):
    set_roles(demo_con, "visits", respondent="patient")
    assert roles(demo_con, name)["patient"] == ("respondent", None, "comment")


@pytest.mark.parametrize(
    "name", ["(select * from visits)", "(from visits where true)", "(from visits, visits as v)"]
)
def test_a_query_has_no_roles(demo_con, name):
    set_roles(demo_con, "visits", respondent="patient")
    assert {role for role, *_ in roles(demo_con, name).values()} == {None}


def test_the_nearest_table_of_a_name_counts(demo_con, tmp_path):
    demo_con.execute("create schema ward; create table ward.visits as from visits")
    demo_con.execute(f"attach '{tmp_path}/other.duckdb' as other")
    demo_con.execute("create table other.visits as from visits")
    set_roles(demo_con, "visits", respondent="patient")
    set_roles(demo_con, "ward.visits", respondent="zip")
    set_roles(demo_con, "other.visits", respondent="age")

    def respondent(name):
        return [c for c, (role, *_) in roles(demo_con, name).items() if role == "respondent"]

    assert respondent("visits") == ["patient"]
    assert respondent("ward.visits") == respondent("own.ward.visits") == ["zip"]
    assert respondent("other.visits") == respondent("other.main.visits") == ["age"]
    demo_con.execute("use other")
    assert respondent("visits") == ["age"]
    demo_con.execute("use own.ward")
    assert respondent("visits") == ["zip"]
    demo_con.execute("use own.main; create temp table visits as from main.visits")
    set_roles(demo_con, "visits", respondent="sex")
    assert respondent("visits") == ["sex"]
    assert respondent("own.main.visits") == ["patient"]
    demo_con.execute("detach other")


def test_a_column_that_is_gone_is_listed_without_a_type(con):
    con.execute("create temp table t as select 1 as a, 2 as b")
    set_roles(con, "t", respondent="a", keep="b")
    con.execute("alter table t rename a to c")
    rows = con.execute("select column_name, column_type, role from tanon.roles('t')").fetchall()
    assert ("a", None, "respondent") in rows and ("c", "INTEGER", None) in rows


def test_a_query_has_no_roles_and_is_told_so(demo_con):
    with pytest.raises(duckdb.Error, match="got neither: a query has no roles, a view of it can"):
        demo_con.execute("from tanon.risk_by_granularity('(select * from visits where age > 3)')")
