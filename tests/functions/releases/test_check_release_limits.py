"""Limits of sensitive values in a release as it left, against the definitions, and as published."""

import random
from collections import Counter

import duckdb
import pytest

from oracles.diversity import equal, figures, groups_of, hierarchical, ordered

DISTANCES = {
    "equal": equal,
    "ordered": ordered,
    "hierarchical": hierarchical([lambda v: v if v is None else v // 3]),
}
LIMITS = {"distinct_l": 2, "frequency_l": 1.3, "entropy_l": 1.5, "recursive_c": 2.5, "t": 0.3,
          "beta": 2}  # fmt: skip
PUBLISH = (
    "from tanon.publish_events('visits', respondent := 'patient', qi := ['sex'], ts := 'admitted', "
    "granularities := ['month'], k := 5, keep := ['diagnosis']"
)
CHECK = "qi := ['sex'], ts := 'admitted', sensitive := 'diagnosis', k := 5"


def found(con, relation, arguments):
    rows = con.execute(f"from tanon.check_release('{relation}', {arguments})").fetchall()
    return {property: (figure, holds) for property, _, figure, holds in rows}


def events(draw):
    return [
        {"who": draw.randrange(9), "q1": draw.choice([None, "a", "b"]), "q2": draw.randrange(2),
         "value": draw.choice([None, 0, 1, 1, 1, 3, 4, 7])}
        for _ in range(draw.choice([6, 30, 60]))
    ]  # fmt: skip


def create(con, rows, left):
    """The table that a release was made of, the owner's copy and the release, without some rows."""
    con.execute("create or replace table source (who int, q1 varchar, q2 int, value int)")
    con.executemany("insert into source values (?, ?, ?, ?)", [list(r.values()) for r in rows])
    con.execute(f"create or replace table owners as from source where rowid < {left}")
    con.execute("create or replace table release as select * exclude (who) from owners")
    con.execute(
        "create or replace table h as select 'VALUE' as attribute, 1 as level, v::varchar as value,"
        " (v // 3)::varchar as generalized from range(8) as _(v)"
    )


def worst(rows, left, cost, respondent):
    """What the worst group reaches, of the rows that left beside all of them."""
    seen = {(r["value"], r["who"]) for r in rows} if respondent else [(r["value"], 0) for r in rows]
    whole = Counter(value for value, _ in seen)
    distance = cost(sorted(whole, key=lambda v: (v is not None, v if v is not None else 0)))
    told = [
        figures(counts, whole, distance)
        for counts in groups_of(rows[:left], ["q1", "q2"], "value", respondent).values()
    ]
    reached = {n: min(f[n] for f in told) for n in ("distinct_l", "frequency_l", "entropy_l")}
    reached |= {n: max(f[n] for f in told) for n in ("t", "beta")}
    c = [f["recursive_c"] for f in told]
    return reached | {"recursive_c": None if None in c else max(c)}


def is_within(name, figure):
    if name in ("t", "beta"):
        return figure <= LIMITS[name] + 1e-9
    if name == "recursive_c":
        return figure is not None and figure < LIMITS[name]
    return figure >= LIMITS[name] - 1e-9


@pytest.mark.parametrize("respondent", [None, "who"])
@pytest.mark.parametrize("distance", DISTANCES)
def test_all_figures_are_those_of_the_definitions(con, distance, respondent):
    draw = random.Random(f"{distance} {respondent}")
    for _ in range(5):
        rows = events(draw)
        left = draw.randint(1, len(rows))
        create(con, rows, left)
        given = ", owner := 'owners', respondent := 'who'" if respondent else ""
        given += ", hierarchies := 'h'" if distance == "hierarchical" else ""
        told = found(
            con,
            "release",
            f"qi := ['q1', 'q2'], sensitive := 'value', limits := {LIMITS}, source := 'source', "
            f"distance := '{distance}'{given}",
        )
        told = {name.split()[0]: found for name, found in told.items() if " of value" in name}
        wanted = worst(rows, left, DISTANCES[distance], respondent)
        assert set(told) == set(LIMITS)
        for name, (figure, holds) in told.items():
            assert holds == is_within(name, wanted[name]), (name, wanted[name])
            if wanted[name] is None:
                assert figure == "none"
            else:
                assert float(figure) == pytest.approx(wanted[name], rel=1e-3, abs=1e-6)


def test_the_owner_finds_what_the_publisher_promised(demo_con):
    limits = "{'entropy_l': 2, 't': 0.5, 'recursive_c': 3, 'recursive_l': 3}"
    promised = f", sensitive := 'diagnosis', limits := {limits}"
    demo_con.execute(f"create table release as {PUBLISH}{promised}, max_suppression := 0.9)")
    demo_con.execute(
        f"create table owners as {PUBLISH}{promised}, max_suppression := 0.9, for_owner := true)"
    )
    summary = PUBLISH.replace(", keep := ['diagnosis']", promised)
    ((criteria,),) = demo_con.execute(
        f"select criteria {summary}, max_suppression := 0.9, result := 'summary')"
    ).fetchall()
    told = found(
        demo_con,
        "release",
        f"{CHECK}, limits := {limits}, source := 'visits', owner := 'owners', respondent := "
        f"'patient'",
    )
    assert {holds for _, holds in told.values()} == {True}
    assert len(criteria) == 3
    for one in criteria:
        assert told[f"{one['property']}, of respondents"] == (one["found"], True)


def test_a_group_that_lost_its_variety_is_found(demo_con):
    demo_con.execute(f"create table release as {PUBLISH}, max_suppression := 0.9)")
    limits = "limits := {'entropy_l': 1.5}, source := 'visits'"
    told = found(demo_con, "release", f"{CHECK}, {limits}")
    assert told["entropy_l of diagnosis, in rows"][1] is True
    demo_con.execute("update release set diagnosis = 'flu' where admitted = '2024-03'")
    told = found(demo_con, "release", f"{CHECK}, {limits}")
    assert told["entropy_l of diagnosis, in rows"] == ("1", False)


def test_who_has_the_release_alone_compares_with_it(demo_con):
    demo_con.execute(f"create table release as {PUBLISH}, max_suppression := 0.9)")
    told = found(demo_con, "release", f"{CHECK}, limits := {{'t': 0.9}}, source := 'release'")
    ((t,),) = demo_con.execute(
        "select t from tanon.diversity_metrics('release', groups := ['sex', 'admitted'], "
        "sensitive := 'diagnosis')"
    ).fetchall()
    assert told["t of diagnosis, in rows"] == (f"{t:.4g}", True)


def test_rows_of_a_remainder_tell_no_value(demo_con):
    given = PUBLISH.replace("k := 5", "k := 16") + ", max_suppression := 0.9, remainder := true"
    demo_con.execute(f"create table release as {given})")
    demo_con.execute(f"create table owners as {given}, for_owner := true)")
    hidden = demo_con.execute("select count(*) from release where sex = '*'").fetchall()
    assert hidden[0][0] > 0
    told = found(
        demo_con,
        "release",
        f"{CHECK}, distinct_l := 3, limits := {{'entropy_l': 2}}, source := 'visits', "
        "records := 'stands_for', owner := 'owners', respondent := 'patient'",
    )
    assert {name: holds for name, (_, holds) in told.items() if not holds} == {}
    # A row that hides its value and stands for itself alone is one of a single value.
    demo_con.execute("insert into release values ('*', '2024-03', null, 1)")
    told = found(demo_con, "release", f"{CHECK}, distinct_l := 3, records := 'stands_for'")
    assert told["distinct values of diagnosis"] == ("1", False)


def test_an_empty_release_is_within_all_limits(demo_con):
    demo_con.execute(f"create table release as {PUBLISH}, max_suppression := 0.9)")
    demo_con.execute("delete from release")
    told = found(demo_con, "release", f"{CHECK}, limits := {LIMITS}, source := 'visits'")
    assert {figure for name, figure in told.items() if "of diagnosis" in name} == {
        ("no rows", True)
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("limits := {'t': 0.3}", "source must be given with limits, and only then, got NULL"),
        ("source := 'visits'", "source must be given with limits, and only then, got 'visits'"),
        (
            "limits := {'entropy': 2}, source := 'visits'",
            "limits must be .*, got 'entropy'; did you mean 'entropy_l'",
        ),
        (
            "limits := {'t': 0.3}, source := 'visits', distance := 'hierarchical'",
            "hierarchies must be given for distance 'hierarchical'",
        ),
        (
            "limits := {'t': 0.3}, source := '(from visits where diagnosis <> ''flu'')'",
            "source must hold all values that sensitive has in release, got one that lacks 1",
        ),
        (
            "limits := {'t': 0.3}, source := '(select sex from visits)'",
            "sensitive must be columns of source, none twice, got 'diagnosis'",
        ),
    ],
)
def test_wrong_arguments(demo_con, arguments, message):
    with pytest.raises(duckdb.Error, match=f"tanon.check_release: {message}"):
        found(demo_con, "visits", f"qi := ['sex'], sensitive := 'diagnosis', {arguments}")


def test_one_sensitive_column_at_a_time(demo_con):
    with pytest.raises(duckdb.Error, match="sensitive must be one column if limits is given"):
        found(
            demo_con,
            "visits",
            "qi := 'sex', sensitive := ['diagnosis', 'zip'], limits := {'t': 0.3}, "
            "source := 'visits'",
        )
