"""An adversary who undoes a deal of Anatomy: both tables, the code, a hash that is supposed.

Equal values are dealt in the order of a hash of their rows, so the hashes of those who truly have
a value rise with its turns. In each group of two the adversary asks which of the two ways to hand
out the values keeps that order better.
"""

from collections import defaultdict

import numpy as np

MASKS = np.arange(256)


def right_guesses(individuals, values, order, truth):
    """How many pairs get their true values, and of how many: who is right of one is of both.

    individuals: (person, group). values: (group, value), each value once in a group.
    order(person, value): 16 bits of the hash that the adversary supposes, up to a mask by xor
    of which the upper 8 bits matter. truth: the value of each person, which only judges.
    """
    members, held, place = defaultdict(list), defaultdict(list), places(values)
    for person, group in individuals:
        members[group].append(person)
    for group, value in values:
        held[group].append(value)
    pairs = [
        (*members[g], *held[g], place[g, held[g][0]], place[g, held[g][1]])
        for g in members
        if len(members[g]) == 2
    ]
    shown = [np.array([order(p[i], p[j]) for p in pairs]) for i, j in TWO_WAYS]
    at = [np.array([p[4 + j - 2] for p in pairs]) for _, j in TWO_WAYS]
    odds = max((judged(shown, at, mask) for mask in MASKS), key=lambda o: np.abs(o).sum())
    guessed = [(p[2], p[3]) if o > 0 else (p[3], p[2]) for p, o in zip(pairs, odds, strict=True)]
    hits = sum(
        truth[p[0]] == a and truth[p[1]] == b for p, (a, b) in zip(pairs, guessed, strict=True)
    )
    return hits, len(pairs)


# First person with first value and second with second, or the other way round.
TWO_WAYS = ((0, 2), (1, 3), (0, 3), (1, 2))


def judged(shown, at, mask):
    """By how much the first way keeps the order better, under this mask."""
    fits = []
    for bits, (place, n) in zip(shown, (a.T for a in at), strict=True):
        off = (bits ^ (int(mask) << 8)) / 65536 - place
        fits.append(-np.minimum(off * off / (2 * (place * (1 - place) / n + 1 / n**2)), 20))
    return fits[0] + fits[1] - fits[2] - fits[3]


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
