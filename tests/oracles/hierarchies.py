"""What every hierarchy has to be, checked value by value."""

import itertools


def by_level(rows):
    """What each value becomes on each level, as a list of dicts."""
    found = {}
    for _, level, value, general in rows:
        assert value not in found.setdefault(level, {}), (level, value)
        found[level][value] = general
    assert sorted(found) == list(range(1, len(found) + 1))
    return [found[level] for level in sorted(found)]


def assert_nested(levels, values):
    """Every value is there on every level, and what is equal on one is equal on the next."""
    for level in levels:
        assert set(level) == set(values)
    for lower, upper in itertools.pairwise(levels):
        seen = {}
        for value in values:
            assert seen.setdefault(lower[value], upper[value]) == upper[value]
