"""What columns and attacks tell of a k-anonymous release, counted row by row."""

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations


def groups_of(rows, respondent, qi, ts, up):
    """The rows of each group: a value of the quasi-identifiers with its granule."""
    found = defaultdict(list)
    for row in rows:
        found[(*(row[q] for q in qi), up(row[ts]))].append(row)
    return found


def people(rows, respondent):
    return {row[respondent] for row in rows}


def released(rows, respondent, qi, ts, up, k):
    """The groups of k respondents or more."""
    found = groups_of(rows, respondent, qi, ts, up)
    return {value: own for value, own in found.items() if len(people(own, respondent)) >= k}


def alone(groups, respondent, known):
    """Respondents whom nobody shares one of their groups with who has the same known values."""
    found = set()
    for own in groups.values():
        same = defaultdict(set)
        for row in own:
            same[tuple(row[c] for c in known)].add(row[respondent])
        found |= {next(iter(who)) for who in same.values() if len(who) == 1}
    return found


def told(groups, respondent, column):
    """(respondents alone, in groups of one value, rows guessed right, rows of the usual value)."""
    everything = Counter(row[column] for own in groups.values() for row in own)
    alike = set()
    guessed = 0
    for own in groups.values():
        values = Counter(row[column] for row in own)
        guessed += max(values.values())
        if len(values) == 1:
            alike |= people(own, respondent)
    usual = max(everything.values(), default=0)
    return len(alone(groups, respondent, [column])), len(alike), guessed, usual, len(everything)


def linked(rows, respondent, key):
    """(rows of those of several rows, how many are picked right on average, by chance)."""
    several = Counter(row[respondent] for row in rows)
    targets = [i for i, row in enumerate(rows) if several[row[respondent]] > 1]
    hits = Fraction(0)
    for i in targets:
        others = [r for j, r in enumerate(rows) if j != i and key(r) == key(rows[i])]
        if others:
            hits += Fraction(sum(r[respondent] == rows[i][respondent] for r in others), len(others))
    lucky = Fraction(sum(several[rows[i][respondent]] - 1 for i in targets), max(len(rows) - 1, 1))
    return len(targets), hits, lucky


def best_linked(rows, respondent, columns, most=3):
    """As linked, by the set of at most so many columns that is right most often."""
    people = Counter(row[respondent] for row in rows)
    targets = sum(n for n in people.values() if n > 1)
    best = Fraction(0)
    for size in range(1, most + 1):
        for names in combinations(columns, size):
            alike = Counter(tuple(row[name] for name in names) for row in rows)
            own = Counter((tuple(row[name] for name in names), row[respondent]) for row in rows)
            hits = sum(
                Fraction(n * (n - 1), alike[key] - 1) for (key, _), n in own.items() if n > 1
            )
            best = max(best, Fraction(hits))
    lucky = Fraction(sum(n * (n - 1) for n in people.values()), max(len(rows) - 1, 1))
    return targets, best, lucky
