"""A naive reading of k-anonymous temporal generalization: sets of respondents, nothing clever.

A table is a list of dicts. A granularity is a function from a time value to the index of its
granule, or None where no granule covers it. `finer` says whether one granularity is finer than
another (reflexive).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import log2
from typing import Any

Row = Mapping[str, Any]
Up = Callable[[Any], Any]
Finer = Callable[[str, str], bool]


@dataclass(frozen=True)
class Metrics:
    """What is known of one generalization of a table."""

    feasible: bool
    gen_m: int | None = None
    gen_s: int | None = None
    groups: int | None = None
    suppressed_tuples: int | None = None
    suppressed_share: float | None = None
    acceptable: bool = False


def respondents(rows: Sequence[Row], respondent: str, qi: Sequence[str], ts: str, up: Up) -> dict:
    """The set of respondents of every quasi-identifier value, time included."""
    sets: dict = {}
    for row in rows:
        value = (*(row[q] for q in qi), up(row[ts]))
        sets.setdefault(value, set()).add(row[respondent])
    return sets


def metrics(rows, respondent, qi, ts, up, k, max_suppression=0.0) -> Metrics:
    """Feasibility, gen_m, gen_s, groups and suppression of one granularity, by the definitions."""
    if any(up(row[ts]) is None for row in rows):
        return Metrics(feasible=False)
    sets = respondents(rows, respondent, qi, ts, up)
    frequency = {value: len(people) for value, people in sets.items()}
    suppressed = [r for r in rows if frequency[(*(r[q] for q in qi), up(r[ts]))] < k]
    share = len(suppressed) / len(rows) if rows else 0.0
    acceptable = len(suppressed) <= max_suppression * len(rows)
    counted = [f for f in frequency.values() if f >= k or not acceptable]
    return Metrics(
        True,
        min(counted, default=None),
        sum(counted),
        len(frequency),
        len(suppressed),
        share,
        acceptable,
    )


def cost(found: Metrics) -> tuple:
    """gen_c as a key that sorts as the order of pairs does; an empty table costs nothing."""
    return (found.gen_m or 0, -(found.gen_s or 0))


def exhaustive_least(found: Mapping[str, Metrics], finer: Finer) -> set[str]:
    """Acceptable, nothing acceptable strictly finer on offer, and gen_c smallest of those."""
    acceptable = [g for g, m in found.items() if m.acceptable]
    minimal = [h for h in acceptable if not any(g != h and finer(g, h) for g in acceptable)]
    smallest = min((cost(found[g]) for g in minimal), default=None)
    return {g for g in minimal if cost(found[g]) == smallest}


def procedure_2(rows, respondent, qi, ts, up, k):
    """Procedure 2 (gen) line by line, U starting with the first tuple's respondent."""

    def same(a: Row, b: Row) -> bool:
        return all(a[q] == b[q] for q in qi) and up(a[ts]) == up(b[ts])

    ordered = sorted(rows, key=lambda r: (*(_orderable(r[q]) for q in qi), r[ts]))
    if not ordered:
        return (None, 0)
    total, smallest = 0, len({r[respondent] for r in ordered})
    people = {ordered[0][respondent]}
    for before, after in pairwise(ordered):
        if same(before, after):
            people.add(after[respondent])
        elif len(people) >= k:
            smallest, total = min(smallest, len(people)), total + len(people)
            people = {after[respondent]}
        else:
            return None
    if len(people) < k:
        return None
    return min(smallest, len(people)), total + len(people)


def least_by_the_paper(rows, respondent, qi, ts, ups: Mapping[str, Up], finer: Finer, k):
    """Algorithm 1 with the errata mended: the granularity found and those it had to look at."""
    offered = list(ups)
    unvisited, looked_at, best = set(offered), [], None

    def strictly(g: str, h: str) -> bool:
        return g != h and finer(g, h)

    def visit(h: str) -> None:
        nonlocal best
        unvisited.discard(h)
        looked_at.append(h)
        found = procedure_2(rows, respondent, qi, ts, ups[h], k)
        if found is not None:
            key = (found[0] or 0, -found[1])
            if best is None or key < best[0]:
                best = (key, h)
            return
        above = [g for g in offered if strictly(h, g)]
        for coarser in above:
            direct = not any(strictly(h, g) and strictly(g, coarser) for g in above)
            if direct and coarser in unvisited:
                visit(coarser)

    for base in offered:
        if base in unvisited and not any(strictly(g, base) for g in offered):
            visit(base)
    return (best[1] if best else None), looked_at


def finer_than(fine: Iterable[tuple], coarse: Sequence[tuple]) -> bool:
    """Whether every granule (start, end) of one lies inside one granule of the other."""
    return all(any(s <= start and end <= e for s, e in coarse) for start, end in fine)


def suppressed_groups(rows, respondent, qi, ts, up, k) -> dict:
    """The groups below k and their frequencies."""
    sets = respondents(rows, respondent, qi, ts, up)
    return {value: len(people) for value, people in sets.items() if len(people) < k}


def acceptable_nodes(rows, respondent, qi, ts, ups, levels, k, max_suppression=0.0) -> dict:
    """Every acceptable node of the product of attribute levels and granularities.

    `levels` maps each attribute to its list of functions, the first of which is the identity.
    A node is (level of each attribute, granularity); the answer maps it to
    (gen_m, gen_s, suppressed share, discernibility).
    """
    acceptable = {}
    for heights in product(*(range(len(levels[q])) for q in qi)):
        view = [
            {**r, **{q: levels[q][h](r[q]) for q, h in zip(qi, heights, strict=True)}} for r in rows
        ]
        for granularity, up in ups.items():
            found = metrics(view, respondent, qi, ts, up, k, max_suppression)
            if found.feasible and found.acceptable:
                acceptable[(heights, granularity)] = (
                    found.gen_m,
                    found.gen_s,
                    found.suppressed_share,
                    discernibility(view, respondent, qi, ts, up, k),
                )
    return acceptable


def minimal_nodes(rows, respondent, qi, ts, ups, finer, levels, k, max_suppression=0.0) -> dict:
    """The acceptable nodes below which none is acceptable."""
    acceptable = acceptable_nodes(rows, respondent, qi, ts, ups, levels, k, max_suppression)

    def below(a: tuple, b: tuple) -> bool:
        heights = all(x <= y for x, y in zip(a[0], b[0], strict=True))
        return a != b and heights and finer(a[1], b[1])

    return {
        node: value
        for node, value in acceptable.items()
        if not any(below(other, node) for other in acceptable)
    }


def discernibility(rows, respondent, qi, ts, up, k) -> int:
    """Squared tuples of every group that stays, and the whole table for every suppressed tuple."""
    sets = respondents(rows, respondent, qi, ts, up)
    tuples = Counter((*(r[q] for q in qi), up(r[ts])) for r in rows)
    return sum(n * n if len(sets[value]) >= k else n * len(rows) for value, n in tuples.items())


def bits_lost(rows, of_columns, weights, share_left_out) -> float:
    """Bits that a row loses on average, by what its value could be once it is generalized.

    `of_columns` maps a column to (what a row has there, what it becomes); a row that is left out
    loses all that there is to know of its columns.
    """
    total = 0.0
    for column, (own, general) in of_columns.items():
        values = Counter(own(row) for row in rows)
        together = Counter(general(row) for row in rows)
        kept = sum(-log2(values[own(r)] / together[general(r)]) for r in rows)
        whole = sum(-log2(values[own(r)] / len(rows)) for r in rows)
        loss = (1 - share_left_out) * kept + share_left_out * whole
        total += weights.get(column, 1) * loss / max(len(rows), 1)
    return total


def risk(rows, respondent, qi, ts, up, population=None) -> dict:
    """Re-identification risk; a respondent is as exposed as in the smallest group they are in."""
    sets = respondents(rows, respondent, qi, ts, up)
    wide = respondents(population or rows, respondent, qi, ts, up)
    people = {r[respondent] for r in rows}
    smallest = {p: min(len(s) for s in sets.values() if p in s) for p in people}
    at_large = {p: min(len(wide[v]) for v, s in sets.items() if p in s) for p in people}
    pairs = sum(len(s) for s in sets.values())

    def share(below: int) -> float:
        return sum(f < below for f in smallest.values()) / len(people)

    return {
        "unique": share(2),
        "below_5": share(5),
        "below_11": share(11),
        "prosecutor_max": max(1 / f for f in smallest.values()),
        "prosecutor_mean": sum(1 / f for f in smallest.values()) / len(people),
        "journalist_max": max(1 / f for f in at_large.values()),
        "journalist_mean": sum(1 / f for f in at_large.values()) / len(people),
        "marketer": sum(len(s) / len(wide[v]) for v, s in sets.items()) / pairs,
        "frequencies": Counter(len(s) for s in sets.values()),
    }


def _orderable(value: Any) -> tuple:
    return (value is None, "" if value is None else value)
