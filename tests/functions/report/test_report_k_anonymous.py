"""tanon.report_k_anonymous says what the functions say by which anybody can ask the same."""

import duckdb
import pytest

OFFER = "['week', '2 weeks', '3 weeks', 'month', 'quarter']"
CALL = (
    f"'visits', uid := 'patient', qi := ['sex'], ts := 'admitted', granularities := {OFFER}, "
    "k := 5, max_suppression := 0.05"
)


@pytest.fixture
def facts(demo_con):
    demo_con.execute(
        f"create table facts as from tanon.report_k_anonymous({CALL}, keep := ['diagnosis'])"
    )
    return demo_con


def test_the_granularities_are_those_of_the_metrics(facts):
    found = facts.execute(
        "pivot (from facts where section = 'granularities') on fact using any_value(value) "
        "group by about"
    ).fetchall()
    names = [c[0] for c in facts.description]
    wanted = facts.execute(
        f"select granularity, gen_m, groups, suppressed_tuples, suppressed_share "
        f"from tanon.granularity_metrics({CALL})"
    ).fetchall()
    told = {
        (r["about"], r["smallest group"], r["groups"], r["rows below k"], r["share below k"])
        for r in (dict(zip(names, row, strict=True)) for row in found)
    }
    assert told == set(wanted)


def test_the_release_is_the_one_that_publish_makes(facts):
    ((count, labels),) = facts.execute(
        "select count(*), count(distinct (sex, admitted)) "
        f"from tanon.publish_k_anonymous({CALL}, keep := ['diagnosis'])"
    ).fetchall()
    found = dict(
        facts.execute("select fact, value from facts where section = 'release'").fetchall()
    )
    assert (found["rows released"], found["groups released"]) == (count, labels)
    assert found["rows"] - found["rows left out"] == count


def test_the_groups_left_out_are_those_of_the_owners_list(facts):
    found = facts.execute(
        "select about, value, bound, text from facts where fact = 'group' order by all"
    ).fetchall()
    wanted = facts.execute(
        "select 'sex = ' || sex || ', admitted = ' || admitted, frequency, tuples, kept_by "
        f"from tanon.k_anonymous_suppressed({CALL}) order by all"
    ).fetchall()
    assert found == wanted and len(wanted) == 2


def test_columns_attacks_and_warnings_are_those_of_their_functions(facts):
    found = facts.execute(
        "select about, value from facts where section = 'what if' and fact = 'singled out'"
    ).fetchall()
    call = f"{CALL}, keep := ['diagnosis']"
    assert (
        found
        == facts.execute(
            f"select column_name, singled_out_share from tanon.unprotected_columns({call})"
        ).fetchall()
    )
    found = facts.execute(
        "select fact, value from facts where section = 'attacks' and text like '%;%' or "
        "section = 'attacks' and fact in ('linkability', 'inference')"
    ).fetchall()
    assert (
        found
        == facts.execute(
            f"select criterion, hit_rate from tanon.k_anonymity_attack({call})"
        ).fetchall()
    )
    found = facts.execute("select fact, value from facts where section = 'warnings'").fetchall()
    assert (
        found
        == facts.execute(
            f"select warning, share from tanon.k_anonymity_warnings({call})"
        ).fetchall()
    )


def test_the_lattice_is_the_graph(facts):
    found = facts.execute("select about, text from facts where section = 'lattice'").fetchall()
    graph = facts.execute(f"from tanon.granularity_graph({OFFER}) order by all").fetchall()
    assert found == graph


def test_the_risk_is_that_of_the_profile(facts):
    ((mean, alone),) = facts.execute(
        "select prosecutor_mean, below_5_share from tanon.risk_profile('visits', uid := 'patient', "
        "qi := ['sex'], ts := 'admitted', granularities := ['2 weeks'])"
    ).fetchall()
    found = dict(facts.execute("select fact, value from facts where section = 'risk'").fetchall())
    assert found["mean risk of respondents before"] == pytest.approx(mean)
    assert found["respondents below k before"] == pytest.approx(alone)


def test_what_others_may_see_names_no_value_and_no_small_group(facts):
    rows = facts.execute(
        "select text, about, value from facts where public and section in "
        "('release', 'group sizes', 'left out')"
    ).fetchall()
    assert rows and all(value is None or value >= 5 for *_, value in rows)
    assert not facts.execute("from facts where public and about like '%=%'").fetchall()


def test_where_no_granularity_will_do_the_promise_does_not_hold(demo_con):
    rows = demo_con.execute(
        "select fact, holds, text from tanon.report_k_anonymous('visits', uid := 'patient', "
        "qi := ['sex'], ts := 'admitted', granularities := ['day', 'week'], k := 5) "
        "where section = 'promise' or fact = 'granularity'"
    ).fetchall()
    assert rows[0][2] == "week"
    assert [holds for _, holds, _ in rows[1:]] == [True, False]


def test_a_table_without_rows(demo_con):
    demo_con.execute("delete from visits")
    rows = demo_con.execute(f"from tanon.report_k_anonymous({CALL})").fetchall()
    assert {row[5] for row in rows if row[0] == "promise"} == {True}


def test_a_wrong_argument_is_named(demo_con):
    with pytest.raises(duckdb.Error, match=r"tanon\.report_k_anonymous: keep must be .*'zpi'"):
        demo_con.execute(f"from tanon.report_k_anonymous({CALL}, keep := ['zpi'])").fetchall()
