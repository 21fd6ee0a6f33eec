"""An adversary who undoes a deal of Anatomy: both tables, the code, a hash that is supposed.

Equal values are dealt in the order of a hash of their rows, so the hashes of those who truly have
a value rise with its turns. In each group the adversary asks which of the ways to hand out the
values keeps that order best.
"""

from collections import defaultdict
from itertools import permutations

import numpy as np

MASKS = np.arange(256)


def right_guesses(individuals, values, order, truth):
    """In how many groups the first person gets the true value, and of how many groups.

    individuals: (person, group). values: (group, value), each value once in a group.
    order(person, value): 16 bits of the hash that the adversary supposes, up to a mask by xor
    of which the upper 8 bits matter. truth: the value of each person, which only judges.
    Groups are those of the usual size; a larger one is left aside.
    """
    members, held, place = defaultdict(list), defaultdict(list), places(values)
    for person, group in individuals:
        members[group].append(person)
    for group, value in values:
        held[group].append(value)
    size = min(map(len, members.values()))
    groups = [g for g in members if len(members[g]) == size]
    pairs = [(i, j) for i in range(size) for j in range(size)]
    shown = {(i, j): np.array([order(members[g][i], held[g][j]) for g in groups]) for i, j in pairs}
    at = [np.array([place[g, held[g][j]] for g in groups]).T for j in range(size)]
    ways = list(permutations(range(size)))
    odds = max((judged(shown, at, ways, mask) for mask in MASKS), key=evidence)
    best = [ways[way] for way in odds.argmax(axis=0)]
    hits = sum(truth[members[g][0]] == held[g][way[0]] for g, way in zip(groups, best, strict=True))
    return hits, len(groups)


def judged(shown, at, ways, mask):
    """How well each way to hand out the values of a group keeps the order, under this mask."""
    fits = {}
    for (i, j), bits in shown.items():
        place, n = at[j]
        off = (bits ^ (int(mask) << 8)) / 65536 - place
        fits[i, j] = -np.minimum(off * off / (2 * (place * (1 - place) / n + 1 / n**2)), 20)
    return np.array([sum(fits[i, j] for i, j in enumerate(way)) for way in ways])


def evidence(odds):
    """By how much the best ways stand out: most under the true mask."""
    return (odds.max(axis=0) - odds.mean(axis=0)).sum()


def places(values):
    """Where a group stands among those that hold a value, from 0 to 1, and how many these are.

    Known from the values alone: each is dealt on from where the one before it ended.
    """
    groups, having = sorted({g for g, _ in values}), defaultdict(set)
    for group, value in values:
        having[value].add(group)
    place, first = {}, 0
    for value in sorted(having):
        n = len(having[value])
        turns = [groups[(first + i) % len(groups)] for i in range(n)]
        assert set(turns) == having[value]
        for turn, group in enumerate(turns):
            place[group, value] = (turn + 0.5) / n, n
        first += n
    return place


def left_with_one(first, second):
    """Persons for whom only one value is in both of their groups: of two releases of one table."""
    sets = []
    for individuals, values in (first, second):
        held = defaultdict(set)
        for group, value in values:
            held[group].add(value)
        sets.append({person: held[group] for person, group in individuals})
    return {p: min(sets[0][p] & sets[1][p]) for p in sets[0] if len(sets[0][p] & sets[1][p]) == 1}
