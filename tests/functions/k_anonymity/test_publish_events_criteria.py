"""Limits and presence asked for together, with granularities of a calendar: against every node."""

from fractions import Fraction
from itertools import product

import pytest
from functions.k_anonymity import test_minimal_generalizations_limits as of_limits
from functions.k_anonymity import test_minimal_generalizations_presence as of_presence

from oracles.diversity import equal, figures

LIMITS = {
    "{'distinct_l': 2}": lambda f: f["distinct_l"] >= 2,
    "{'entropy_l': 1.8}": lambda f: f["entropy_l"] >= 1.8 - 1e-9,
    "{'t': 0.4}": lambda f: f["t"] <= 0.4 + 1e-9,
}
ASKED = of_presence.ASKED


def create(con, seed, several=False):
    """Tables as for presence, with a diagnosis that few have."""
    everybody, rows = of_presence.people(seed, several)
    of_presence.create(con, everybody, rows)
    con.execute("alter table r add column dx integer")
    con.execute("update r set dx = (who * 7 + day(day)) % 4 % 3")
    for row in rows:
        row["dx"] = (row["who"] * 7 + row["day"].day) % 4 % 3
    return everybody, rows


def left_out(everybody, rows, node, k, asked, is_within):
    """Rows that go, and whether what limits leave out is within them; None where all must stay."""
    k_map, low, high = asked
    here, wide = {}, of_presence.counted(everybody, node)
    for row in rows:
        here.setdefault(of_presence.seen(row, node), []).append(row)
    whole = of_limits.values_of(rows)
    distance = equal(whole)
    out, missed, absent = 0, [], False
    for group, others in wide.items():
        members = here.get(group, [])
        f, w = len({row["who"] for row in members}), len(set(others))
        holds = bool(members) and is_within(figures(of_limits.values_of(members), whole, distance))
        fine = f >= k and holds and w >= k_map and low <= Fraction(f, w) <= high
        out += len(members) * (not fine)
        absent |= low > 0 and not fine
        missed += members if f >= k and not holds else []
    hidden = not missed or is_within(figures(of_limits.values_of(missed), whole, distance))
    return None if absent else (out, hidden)


OFFERS = {
    "none": (),
    "calendar alone": ("term",),
    "calendar and built in": ("month", "term", "year"),
}


CASES = [
    *zip(LIMITS, list(ASKED)[:3], OFFERS, (False, True, False), strict=True),
    ("{'distinct_l': 2}", "{'k_map': 6}", "calendar alone", False),
    ("{'entropy_l': 1.8}", "{'delta_low': 0.1}", "calendar alone", True),
]


@pytest.mark.parametrize(("limits", "asked", "offer", "several"), CASES)
def test_as_an_exhaustive_search_finds(con, limits, asked, offer, several):
    everybody, rows = create(con, 7 + several, several)
    granules = OFFERS[offer]
    nodes = list(product(range(5), range(3), *[granules] * bool(granules)))
    time = f", ts := 'day', granularities := {list(granules)}, calendar := 'c'" * bool(granules)
    day = ", day" * bool(granules)
    for share in (0,) if "low" in asked else (0, 0.4):
        out = {n: left_out(everybody, rows, n, 2, ASKED[asked], LIMITS[limits]) for n in nodes}
        fine = [n for n in nodes if out[n] and out[n][1] and out[n][0] <= share * len(rows)]
        wanted = {
            (*n, out[n][0] / len(rows)) for n in fine
            if not any(o != n and of_presence.is_below(o, n) for o in fine)
        }  # fmt: skip
        call = (
            f"respondent := 'who', qi := ['zip', 'age'], hierarchies := 'h', sensitive := 'dx', "
            f"limits := {limits}, population := 'p', presence := {asked}{time}"
        )
        found = con.execute(
            f"select zip, age {day}, suppressed_share "
            f"from tanon.minimal_generalizations('r', {call}, k := 2, max_suppression := {share})"
        ).fetchall()
        assert set(found) == wanted and len(found) == len(wanted)
        ((reason, granularity, levels, gone),) = con.execute(
            "select reason, granularity, levels, suppressed_share from tanon.tune_events('r', "
            f"{call}, k := [2], max_suppression := [{share}], queries := 1)"
        ).fetchall()
        assert (reason is None) == bool(fine)
        if not fine:
            continue
        node = (levels["zip"], levels["age"], *([granularity] if granules else []))
        assert node in fine and gone == out[node][0] / len(rows)
        released, suppressed = (
            con.execute(
                f"select {what} from tanon.publish_events('r', {call}, k := 2, "
                f"max_suppression := {share}, result := '{result}')"
            ).fetchone()[0]
            for result, what in (
                ("release", "count(*)"),
                ("suppressed", "coalesce(sum(tuples), 0)"),
            )
        )
        assert (released, suppressed) == (len(rows) - out[node][0], out[node][0])


@pytest.mark.parametrize(
    ("function", "result"),
    [
        ("publish_events", ", result := 'summary'"),
        ("publish_events", ", result := 'warnings'"),
        ("publish_events", ", result := 'attacks'"),
        ("publish_events", ", result := 'columns'"),
        ("report_events", ""),
    ],
)
@pytest.mark.parametrize("limits", [None, "{'distinct_l': 3}"])
def test_every_function_of_a_release_takes_both(con, function, result, limits):
    create(con, 7)
    asked = f", sensitive := 'dx', limits := {limits}" if limits else ""
    found = con.execute(
        f"from tanon.{function}('r', respondent := 'who', qi := ['zip', 'age'], k := 2, "
        "ts := 'day', granularities := ['term'], calendar := 'c', hierarchies := 'h', "
        f"max_suppression := 0.9, population := 'p', presence := {{'k_map': 3}}{asked}{result})"
    ).fetchall()
    assert found or "warnings" in result or "columns" in result
