"""A misspelt name inside a map or a list is told, with the nearest that is known."""

import duckdb
import pytest

ASKED = "'visits', respondent := 'patient', qi := ['zip', 'sex'], ts := 'admitted'"
OFFERED = "granularities := ['month', 'year']"
HIERARCHIES = "hierarchies := '(from tanon.hierarchies(''visits'', {''zip'': ''prefixes 3''}))'"
PEOPLE = "population := 'visits'"
PUBLISHED = f"publish_events({ASKED}, {OFFERED}, k := 2, keep := ['diagnosis'], {HIERARCHIES}"
TUNED = f"tune_events({ASKED}, {OFFERED}, k := [2], {HIERARCHIES}"
MINIMAL = f"minimal_generalizations({ASKED}, {OFFERED}, k := 2, {HIERARCHIES}"
EVALUATED = "evaluate_events('visits', 'visits', qi := ['zip', 'sex']"
DIVERSE = "limit_violations('visits', groups := ['zip'], sensitive := 'diagnosis'"


@pytest.mark.parametrize(
    ("call", "argument", "got", "meant"),
    [
        *(
            (f"{call}, {name} := {{'{wrong}': 2}}", name, wrong, meant)
            for call in (PUBLISHED, TUNED, MINIMAL)
            for name, wrong, meant in [
                ("levels", "zipp", "zip"),
                ("levels", "ZIPP", "zip"),
                ("choose_by", "sez", "sex"),
                ("choose_by", "admited", "admitted"),
            ]
        ),
        (f"{EVALUATED}, {HIERARCHIES}, levels := {{'zipp': 1}}", "levels", "zipp", "zip"),
        (f"{PUBLISHED}, choose_by := 'entrpy'", "choose_by", "entrpy", "entropy"),
        (
            f"{PUBLISHED}, allow_identifying := ['diagnoses']",
            "allow_identifying",
            "diagnoses",
            "diagnosis",
        ),
        (f"{TUNED}, choices := {{'a': ['month', 'zipp']}}", "choices", "zipp", "zip"),
        (f"{TUNED}, choices := {{'a': ['year'], 'b': 'mnth'}}", "choices", "mnth", "month"),
        (
            f"{PUBLISHED}, sensitive := 'diagnosis', limits := {{'t': 0.1, 'distinct': 2}}",
            "limits",
            "distinct",
            "distinct_l",
        ),
        (f"{DIVERSE}, limits := {{'entropy': 2}}", "limits", "entropy", "entropy_l"),
        (f"{PUBLISHED}, {PEOPLE}, presence := {{'kmap': 2}}", "presence", "kmap", "k_map"),
        ("hierarchies('visits', {'zipp': 'list'}", "attribute", "zipp", "zip"),
        ("hierarchies('visits', {'zip': 'prefix 3'}", "specifications", "prefix 3", "prefixes"),
        ("set_roles('visits', {'zipp': 'drop'}", "roles", "zipp", "zip"),
        ("set_roles('visits', {'zip': 'dropp'}", "roles", "dropp", "drop"),
    ],
)  # fmt: skip
def test_it_is_told(demo_con, call, argument, got, meant):
    said = rf"{argument} must .*, got '{got}'( for zip)?; did you mean '?{meant}'?\?"
    with pytest.raises(duckdb.Error, match=said):
        demo_con.execute(f"from tanon.{call})").fetchall()


@pytest.mark.parametrize("name", ["nothing_like_it", "admitted"])
def test_nothing_far_is_guessed(demo_con, name):
    with pytest.raises(duckdb.Error, match=f"levels of columns of qi, got '{name}'\n"):
        demo_con.execute(f"from tanon.{PUBLISHED}, levels := {{'{name}': 1}})").fetchall()


def test_beside_a_calendar_the_built_in_ones_are_meant_too(demo_con):
    demo_con.execute(
        "create table terms as select 'term' as granularity, 1 as granule, 'T1' as label, "
        "timestamp '2024-01-01' as starts, timestamp '2025-01-01' as ends"
    )
    for name, told in (("mnth", "'mnth'; the calendar has term; did you mean 'month'"),
                       ("trem", "'trem'; the calendar has term")):  # fmt: skip
        with pytest.raises(duckdb.Error, match=f"of the calendar where not built in, got {told}"):
            demo_con.execute(
                "from tanon.granularity_metrics('visits', 'patient', ['sex'], 'admitted', "
                f"['term', '{name}'], 5, calendar := 'terms')"
            ).fetchall()
