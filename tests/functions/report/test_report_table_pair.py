"""tanon.report_table_pair says what the functions say by which anybody can ask the same."""

import duckdb
import pytest

CALL = (
    "'visits', qi := ['age'], sensitive := 'diagnosis', l := 2, partition := 'sex', "
    "respondent := 'patient'"
)


@pytest.fixture
def pair(demo_con):
    for part in ("individuals", "values"):
        demo_con.execute(
            f"create table its_{part} as from tanon.publish_table_pair({CALL}, result := '{part}')"
        )
    demo_con.execute(
        f"create table owners as from tanon.publish_table_pair({CALL}, result := 'individuals', "
        "for_owner := true)"
    )
    return demo_con


def facts(con, more=""):
    rows = con.execute(f"from tanon.report_table_pair({CALL}{more})").fetchall()
    return {(section, fact, about): rest for section, fact, about, *rest in rows}


def test_groups_and_promise_are_those_of_the_two_tables(pair):
    found = facts(pair)
    ((rows, groups),) = pair.execute(
        "select count(*), count(distinct a_group) from its_individuals"
    ).fetchall()
    assert found["release", "rows released", "in groups"][0] == rows
    assert found["release", "groups", "in groups"][0] == groups
    ((worst,),) = pair.execute(
        "select max(most / n) from (select max(records) as most, sum(records) as n "
        "from its_values group by a_group)"
    ).fetchall()
    said = found["promise", "largest share of a value in a group", None]
    assert said[:3] == [worst, 0.5, True]
    assert found["promise", "groups that differ in both tables", None][:3] == [0, 0, True]
    sizes = pair.execute(
        "select n::varchar, count(*) from (select count(*) as n from its_individuals "
        "group by a_group) group by n"
    ).fetchall()
    told = {key[2]: rest[0] for key, rest in found.items() if key[0] == "group sizes"}
    assert told == dict(sizes)


def test_attacks_warnings_and_utility_are_those_of_their_functions(pair):
    found = facts(pair, ", queries := 100")
    ((hits, raw, usual),) = pair.execute(
        "select (select sum(most) from (select max(records) as most from its_values "
        "group by a_group)) / 450, (select sum(most) from (select max(n) as most from (select "
        "sex, age, count(*) as n from visits group by sex, age, diagnosis) group by sex, age)) "
        "/ 450, (select max(n) from (select count(*) as n from visits group by diagnosis)) / 450"
    ).fetchall()
    names = ("inference", "control", "baseline")
    assert [found["attacks", name, "the group"][0] for name in names] == [hits, raw, usual]
    warned = pair.execute(
        "select warning, affects, share from tanon.table_pair_warnings('its_individuals', "
        "'its_values', qi := ['age'], sensitive := 'diagnosis', partition := 'sex', "
        "owner := 'owners', respondent := 'patient')"
    ).fetchall()
    told = {(k[1], k[2], rest[0]) for k, rest in found.items() if k[0] == "warnings"}
    assert told == set(warned) and warned
    evaluated = pair.execute(
        "from tanon.evaluate_table_pair('its_individuals', 'its_values', 'visits', qi := ['age'], "
        "sensitive := 'diagnosis', queries := 100)"
    ).fetchall()
    for selectivity, *figures in evaluated:
        told = [rest[0] for key, rest in found.items() if key[::2] == ("utility", selectivity)]
        assert told == figures


def test_without_queries_and_partition_and_rows(pair):
    assert not [key for key in facts(pair) if key[0] == "utility"]
    pair.execute("delete from visits")
    rows = pair.execute(
        "from tanon.report_table_pair('visits', qi := ['age', 'sex'], sensitive := 'diagnosis', "
        "l := 3, "
        "respondent := 'patient')"
    ).fetchall()
    assert all(row[5] for row in rows if row[0] == "promise")


def test_what_publish_refuses_is_refused(demo_con):
    with pytest.raises(duckdb.Error, match="every partition must be l-eligible"):
        demo_con.execute(
            "from tanon.report_table_pair('visits', qi := ['age'], sensitive := 'diagnosis', l "
            ":= 5, "
            "respondent := 'patient')"
        ).fetchall()
