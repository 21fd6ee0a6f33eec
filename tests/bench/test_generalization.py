"""The searches over a lattice of granularities, on made-up metrics."""

from __future__ import annotations

from bench.reproductions import generalization


def lattice(**gen_c: tuple[int, int]) -> list[dict]:
    return [
        {"granularity": name, "gen_m": m, "gen_s": s, "acceptable": m >= 2}
        for name, (m, s) in gen_c.items()
    ]


COARSER = {"day": ["week", "month"], "week": [], "month": ["year"], "year": []}


def test_the_walk_finds_the_least_generalization_of_the_papers_table():
    found = lattice(day=(1, 6), week=(2, 6), month=(2, 5), year=(6, 6))
    pruned, whole = (generalization.search(found, COARSER, prune) for prune in (True, False))
    assert pruned.best == whole.best == "week"
    assert pruned.visited == ["day", "week", "month"]
    assert whole.visited == ["day", "week", "month", "year"]


def test_of_equal_gen_m_the_larger_gen_s_wins_whichever_is_seen_first():
    found = lattice(day=(1, 6), week=(2, 6), month=(2, 5), year=(6, 6))
    for names in (["week", "month"], ["month", "week"]):
        assert generalization.search(found, COARSER | {"day": names}, prune=True).best == "week"


def test_a_granularity_above_two_others_is_visited_once():
    diamond = {"day": ["week", "month"], "week": ["year"], "month": ["year"], "year": []}
    found = lattice(day=(1, 6), week=(1, 6), month=(1, 5), year=(1, 6))
    walk = generalization.search(found, diamond, prune=True)
    assert walk.visited == ["day", "week", "month", "year"]
    assert walk.best is None


def test_the_chain_search_is_a_binary_search_for_the_finest_acceptable():
    chain = generalization.CHAIN
    for place in range(len(chain) + 1):
        found = lattice(**{name: (1 + (i >= place), 9) for i, name in enumerate(chain)})
        walk = generalization.search_chain(found)
        assert walk.best == (chain[place] if place < len(chain) else None)
        assert len(walk.visited) <= 3
