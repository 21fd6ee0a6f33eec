"""tanon.tune_events against publishing, counting and evaluating each setting by itself."""

from collections import defaultdict
from itertools import product

import duckdb
import pytest
from functions.k_anonymity.test_evaluate_events import create

WHO = "'r', respondent := 'who', qi := ['zip', 'age']"
TIME = "ts := 'seen', granularities := {}"
GRANULARITIES = ["month", "quarter", "year"]
RISKS = ("prosecutor_max", "prosecutor_mean", "marketer", "below_11_share")


def tuned(con, more):
    found = con.execute(f"from tanon.tune_events({WHO}, {more})").fetchall()
    names = [column[0] for column in con.description]
    rows = [dict(zip(names, row, strict=True)) for row in found]
    return {(row["offer"], row["k"], row["max_suppression"]): row for row in rows}


def risks(con, width):
    """What somebody finds out who counts respondents in the groups of the owner's copy."""
    groups, met = defaultdict(set), defaultdict(list)
    for who, *group in con.execute("from owned").fetchall():
        groups[tuple(group[:width])].add(who)
    for people in groups.values():
        for who in people:
            met[who].append(len(people))
    pairs = [size for sizes in met.values() for size in sizes]
    return (
        max(1 / size for size in pairs),
        sum(1 / min(sizes) for sizes in met.values()) / len(met),
        sum(1 / size for size in pairs) / len(pairs),
        sum(min(sizes) < 11 for sizes in met.values()) / len(met),
    )


def check(con, row, published, evaluated):
    """Whether a setting comes to what it comes to when it is published."""
    try:
        made = con.execute(
            "select granularity, levels, groups, gen_m, discernibility, records, suppressed, "
            f"entropy from tanon.publish_events({WHO}, {published}, result := 'summary')"
        ).fetchone()
    except duckdb.Error as error:
        assert "of the rows in groups of fewer than" in str(error), (row, published)
        assert row["reason"], (row, published)
        assert "nothing that is offered leaves out " in row["reason"]
        assert row["levels"] is row["groups"] is row["median_relative_error"] is None
        return
    names = ("granularity", "levels", "groups", "gen_m", "discernibility")
    assert (row["reason"], *(row[name] for name in names)) == (None, *made[:5])
    assert row["suppressed_share"] == made[6] / (made[5] + made[6])
    assert made[7] is None or row["entropy"] == pytest.approx(made[7])
    con.execute(
        "create or replace table owned as "
        f"from tanon.publish_events({WHO}, {published}, for_owner := true)"
    )
    wanted = risks(con, 3 if made[0] else 2)
    assert tuple(row[name] for name in RISKS) == pytest.approx(wanted)
    con.execute("create or replace view p as select * exclude (who) from owned")
    evaluated = evaluated.format(made[0])
    if "hierarchies" in published:
        evaluated += f", hierarchies := 'h', levels := {made[1]}"
    errors = con.execute(
        "select median_relative_error, ninth_decile from tanon.evaluate_events('p', 'r', "
        f"qi := ['zip', 'age'], queries := 200{evaluated}) "
        "where selectivity = 'all'"
    ).fetchone()
    assert (row["median_relative_error"], row["ninth_decile"]) == pytest.approx(errors)


OFFERS = {
    "time alone": ["month", "quarter"],
    "coarse": ["quarter", "year", "ZIP"],
    "everything": [*GRANULARITIES, "zip", "age"],
}
KEPT = ", ts := 'seen', granularity := '{}', keep := ['ill']"


@pytest.mark.parametrize(("seed", "choose_by"), [(1, "'entropy'"), (2, "{'seen': 3, 'zip': 0}")])
def test_each_setting_as_it_is_published(con, seed, choose_by):
    create(con, seed)
    if seed == 2:  # nobody has two rows
        con.execute("update r set who = rowid")
    options = f"hierarchies := 'h', choose_by := {choose_by}, keep := ['ill']"
    found = tuned(
        con,
        f"k := [3, 8], max_suppression := [0.1, 0.4], {TIME.format(GRANULARITIES)}, {options}, "
        f"queries := 200, choices := {OFFERS}",
    )
    assert list(found) == list(product(OFFERS, (3, 8), (0.1, 0.4)))
    assert {row["reason"] is None for row in found.values()} == {True, False}
    assert len({str(row["levels"]) for row in found.values()}) > 2
    for (offer, k, share), row in list(found.items())[seed % 2 :: 2]:
        granules = [name for name in GRANULARITIES if name in OFFERS[offer]]
        fixed = {q: 0 for q in ("zip", "age") if q not in str(OFFERS[offer]).lower()}
        published = (
            f"{TIME.format(granules)}, {options}, k := {k}, max_suppression := {share}, "
            "allow_identifying := ['ill']" + f", levels := {fixed}" * bool(fixed)
        )
        check(con, row, published, KEPT)


def test_granularities_alone_time_left_out_and_limits(con):
    create(con, 3)
    con.execute(
        "create table c as select 'half' as granularity, n + 1 as granule, 'h' || n as label, "
        "timestamp '2023-07-01' + interval (6 * n) month as starts, starts + interval 6 month "
        "as ends from range(4) t(n)"
    )
    halves = f"{TIME.format(['month', 'half'])}, calendar := 'c', max_suppression := "
    time = ", ts := 'seen', granularity := '{}', calendar := 'c'"
    for row in tuned(con, f"{halves}[0.9], k := [2, 5], queries := 200").values():
        check(con, row, f"{halves}0.9, k := {row['k']}", time)
    limits = "hierarchies := 'h', sensitive := 'ill', limits := {'entropy_l': 2.5, 'distinct_l': 3}"
    found = tuned(con, f"k := [2, 9], max_suppression := [0, 0.2], {limits}, queries := 200")
    for (_, k, share), row in found.items():
        check(con, row, f"k := {k}, max_suppression := {share}, {limits}", "")
    plain = tuned(con, "k := [2, 9], max_suppression := [0, 0.2], hierarchies := 'h'")
    assert [r["groups"] for r in plain.values()] != [r["groups"] for r in found.values()]


@pytest.mark.parametrize(("rows", "gone"), [(100, 29), (100, 57), (100, 58), (100_000, 7)])
@pytest.mark.parametrize("more", [0, 1])
def test_a_share_is_compared_exactly(con, rows, gone, more):
    """0.29 * 100 is below 29 in floating point, and 7e-05 * 100000 is above 7."""
    con.execute(
        "create table x as select i as u, case when i < $gone then i + 1 else 0 end as a "
        "from range($rows) t(i)",
        {"gone": gone + more, "rows": rows},
    )
    share = gone / rows
    ((told, reason),) = con.execute(
        "select max_suppression, reason from tanon.tune_events('x', respondent := 'u', qi := 'a', "
        f"k := [2], max_suppression := [{share!r}], queries := 1)"
    ).fetchall()
    assert told == share
    call = (
        f"tanon.publish_events('x', respondent := 'u', qi := 'a', k := 2, max_suppression := "
        f"{share!r})"
    )
    if more:
        assert reason == f"nothing that is offered leaves out less than {gone + 1} of {rows} rows"
        with pytest.raises(duckdb.Error, match=f"leaves room for at most {share:.9f}".rstrip("0")):
            con.execute(f"from {call}")
    else:
        assert reason is None
        assert con.execute(f"select count(*) from {call}").fetchone() == (rows - gone,)


def test_an_offer_that_covers_not_every_time_has_a_reason(con):
    con.execute(
        "create table x as select i as u, 1 as a, timestamp '2024-01-05' + interval (i) day as t "
        "from range(6) r(i)"
    )
    time = "ts := 't', granularities := ['business_day', 'business_week', 'week']"
    found = con.execute(
        "select offer, reason, granularity, levels, gen_m from tanon.tune_events('x', "
        f"respondent := 'u', qi := 'a', k := [2], queries := 1, {time}, "
        "choices := {'work': ['business_day', 'business_week'], 'all': ['week']})"
    ).fetchall()
    gap = "no granule covers 2024-01-06 00:00:00"
    reason = "no granularity that is offered covers every time: "
    reason += f"business_day: {gap}; business_week: {gap}"
    assert found == [("work", reason, None, None, None), ("all", None, "week", {"a": 0}, 3)]


def test_two_values_of_one_text_are_two(con):
    """1 and '1' of a UNION are written alike; they stay two unless the attribute leaves as text."""
    type = "union(a integer, b varchar)"
    con.execute(
        f"create table x as select i as u, case i // 5 when 0 then union_value(a := 1)::{type} "
        f"when 1 then union_value(b := '1')::{type} else union_value(b := 'x')::{type} end as q "
        "from range(15) r(i)"
    )
    con.execute(
        "create table hx as select 'q' as attribute, 1 as level, unnest(['1', 'x']) as value, "
        "'*' as generalized"
    )
    call = "'x', respondent := 'u', qi := 'q', k := {}, max_suppression := {}{}"
    for k, more, groups in ((5, "", 3), (5, ", hierarchies := 'hx'", 2), (8, "", None)):
        tried = call.format(f"[{k}]", "[0.4]", more)
        ((found, reason),) = con.execute(
            f"select groups, reason from tanon.tune_events({tried}, queries := 20)"
        ).fetchall()
        assert (found, reason is None) == (groups, groups is not None)
        published = f"tanon.publish_events({call.format(k, 0.4, more)}, result := 'summary')"
        if groups:
            assert con.execute(f"select groups from {published}").fetchone() == (groups,)
        else:
            with pytest.raises(duckdb.Error, match="max_suppression must be a share that leaves"):
                con.execute(f"from {published}").fetchall()


def test_no_rows_and_one(con):
    create(con, 4)
    call = f"k := [2], hierarchies := 'h', {TIME.format(['year'])}"
    con.execute("delete from r where rowid > 0")
    (one,) = tuned(con, call).values()
    assert one["reason"] == "nothing that is offered leaves out less than 1 of 1 rows"
    con.execute("delete from r")
    (none,) = tuned(con, call).values()
    assert (none["reason"], none["groups"], none["median_relative_error"]) == (None, 0, None)


def test_the_same_for_any_row_order_and_threads(con):
    create(con, 5)
    call = f"k := [3, 5], hierarchies := 'h', max_suppression := [0.3], {TIME.format(['month'])}"
    first = tuned(con, call)
    con.execute("create or replace table r as from r order by random()")
    con.execute("set threads = 1")
    assert tuned(con, call) == first


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("k := [1, 5]", "k must be whole numbers above 1, got \\[1, 5\\]"),
        ("k := [5], max_suppression := [1]", "max_suppression must be a list of numbers in"),
        ("k := [5], choices := {'a': ['zap']}", "choices must be lists of offered granularities"),
        (
            "k := [5], ts := 'seen', granularities := ['day'], choices := {'a': ['zip']}",
            "choices must be lists of offered granularities and columns of qi, with",
        ),
        ("k := [5], choices := 'zip'", "choices must be a struct or a map of names"),
        ("k := [5], keep := ['zip']", "keep must be columns apart from respondent, qi and ts"),
        ("k := [5], queries := 0", "queries must be"),
        ("k := [5], levels := {'zip': 1}", "levels must be given only together with hierarchies"),
    ],
)
def test_bad_input(con, change, message):
    create(con, 6)
    with pytest.raises(duckdb.Error, match=f"tanon.tune_events: {message}"):
        con.execute(f"from tanon.tune_events({WHO}, {change})").fetchall()
