"""tanon.report_events says what the functions say by which anybody can ask the same."""

import duckdb
import pytest

OFFER = "['week', '2 weeks', '3 weeks', 'month', 'quarter']"
CALL = (
    f"'visits', respondent := 'patient', qi := ['sex'], ts := 'admitted', granularities := "
    f"{OFFER}, "
    "k := 5, max_suppression := 0.05"
)


@pytest.fixture
def facts(demo_con):
    demo_con.execute(
        f"create table facts as from tanon.report_events({CALL}, keep := ['diagnosis'])"
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
        f"from tanon.publish_events({CALL}, keep := ['diagnosis'])"
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
        f"from tanon.publish_events({CALL}, result := 'suppressed') order by all"
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
            "select column_name, singled_out_share "
            f"from tanon.publish_events({call}, result := 'columns')"
        ).fetchall()
    )
    found = facts.execute(
        "select fact, value from facts where section = 'attacks' and text like '%;%' or "
        "section = 'attacks' and fact in ('linkability', 'inference')"
    ).fetchall()
    assert (
        found
        == facts.execute(
            f"select criterion, hit_rate from tanon.publish_events({call}, result := 'attacks')"
        ).fetchall()
    )
    found = facts.execute("select fact, value from facts where section = 'warnings'").fetchall()
    assert (
        found
        == facts.execute(
            f"select warning, share from tanon.publish_events({call}, result := 'warnings')"
        ).fetchall()
    )


def test_the_lattice_is_the_graph(facts):
    found = facts.execute("select about, text from facts where section = 'lattice'").fetchall()
    graph = facts.execute(f"from tanon.granularity_graph({OFFER}) order by all").fetchall()
    assert found == graph


def test_the_risk_is_that_of_the_profile(facts):
    ((mean, alone),) = facts.execute(
        "select prosecutor_mean, below_5_share from tanon.risk_by_granularity('visits', "
        "respondent := "
        "'patient', "
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
        "select fact, holds, text from tanon.report_events('visits', respondent := 'patient', "
        "qi := ['sex'], ts := 'admitted', granularities := ['day', 'week'], k := 5) "
        "where section = 'promise' or fact = 'granularity'"
    ).fetchall()
    assert rows[0][2] == "week"
    assert [holds for _, holds, _ in rows[1:]] == [True, False]


def test_a_table_without_rows(demo_con):
    demo_con.execute("delete from visits")
    rows = demo_con.execute(f"from tanon.report_events({CALL})").fetchall()
    assert {row[5] for row in rows if row[0] == "promise"} == {True}


def test_a_wrong_argument_is_named(demo_con):
    with pytest.raises(duckdb.Error, match=r"tanon\.report_events: keep must be .*'zpi'"):
        demo_con.execute(f"from tanon.report_events({CALL}, keep := ['zpi'])").fetchall()


def test_utility_is_that_of_evaluate_k_anonymous(demo_con):
    call = f"{CALL}, keep := ['diagnosis']"
    facts = demo_con.execute(
        f"from tanon.report_events({call}, queries := 150) where section = 'utility'"
    ).fetchall()
    demo_con.execute(f"create table released as from tanon.publish_events({call})")
    evaluated = demo_con.execute(
        "from tanon.evaluate_events('released', 'visits', qi := ['sex'], ts := 'admitted', "
        "granularity := '2 weeks', keep := ['diagnosis'], queries := 150)"
    ).fetchall()
    found = [
        (facts[i][2], *(fact[3] for fact in facts[i : i + 4])) for i in range(0, len(facts), 4)
    ]
    assert found == evaluated and found[-1][1] == 150
    # What others see is of many rows, and never the last digit of a count.
    assert {fact[2] for fact in facts if fact[7]} == {"1 to 10 %", "10 % and more", "all"}
    assert {fact[1] for fact in facts if fact[7]} == {"queries", "median relative error"}


def test_utility_with_a_calendar_and_rows_left_out(demo_con):
    demo_con.execute(
        "create table terms as select 'term' as granularity, i::integer as granule, "
        "'term ' || i as label, timestamp '2023-12-01' + to_days((70 * i)::integer) as starts, "
        "timestamp '2023-12-01' + to_days((70 * i + 70)::integer) as ends from range(9) as r(i)"
    )
    call = (
        "'visits', respondent := 'patient', qi := ['sex', 'age'], ts := 'admitted', "
        "granularities := "
        "['term', 'year'], k := 3, max_suppression := 0.9, calendar := 'terms'"
    )
    facts = demo_con.execute(
        "select value from tanon.report_events("
        f"{call}, queries := 100) where section = 'utility' and about = 'all'"
    ).fetchall()
    demo_con.execute(f"create table released as from tanon.publish_events({call})")
    taken = demo_con.execute(
        f"select granularity, suppressed from tanon.publish_events({call}, result := 'summary')"
    ).fetchall()
    assert taken[0][0] == "term" and taken[0][1] > 0
    evaluated = demo_con.execute(
        "from tanon.evaluate_events('released', 'visits', qi := ['sex', 'age'], "
        "ts := 'admitted', granularity := 'term', calendar := 'terms', queries := 100)"
    ).fetchall()
    assert [value for (value,) in facts] == pytest.approx(list(evaluated[-1][1:]))


def test_a_calendar_alone(demo_con):
    demo_con.execute(
        "create table terms as select 'of ' || n as granularity, i::integer as granule, "
        "n || ' term ' || i as label, "
        "timestamp '2023-12-01' + to_days((n * i)::integer) as starts, "
        "timestamp '2023-12-01' + to_days((n * i + n)::integer) as ends "
        "from range(9) as r(i), (values (70), (140)) as w(n)"
    )
    call = (
        "'visits', respondent := 'patient', qi := ['sex'], ts := 'admitted', granularities := "
        "['of 70', 'of 140'], k := 5, calendar := 'terms', choose_by := 'gen_s'"
    )
    facts = dict(
        demo_con.execute(
            "select about, holds from tanon.report_events("
            f"{call}, queries := 50) where section = 'granularities' and fact = 'chosen'"
        ).fetchall()
    )
    assert facts == {"of 70": True, "of 140": False}
    demo_con.execute(f"create table released as from tanon.publish_events({call})")
    found = [
        demo_con.execute(
            "from tanon.evaluate_events('released', 'visits', qi := ['sex'], "
            f"ts := 'admitted', calendar := 'terms', granularity := {offer})"
        ).fetchall()
        for offer in ("'of 70'", "['of 70', 'of 140']")
    ]
    assert found[0] == found[1]
