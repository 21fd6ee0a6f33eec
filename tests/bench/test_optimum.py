"""The best of all choices, against a reading of the definitions row by row."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import log2

import numpy as np
import pytest

from bench._optimum import least_lost


def by_hand(levels, k, share):
    """Both measures of every choice that is allowed, each row by itself; the least of each."""
    rows, found = range(len(levels[0][0])), []
    for choice in product(*(range(len(each)) for each in levels)):
        shown = [tuple(each[at][i] for each, at in zip(levels, choice, strict=True)) for i in rows]
        sizes = Counter(shown)
        out = [i for i in rows if sizes[shown[i]] < k]
        if len(out) > share * len(rows):
            continue
        bits = 0.0
        for each, at in zip(levels, choice, strict=True):
            alone, together = Counter(each[0]), Counter(each[at])
            all_there_is = sum(log2(len(rows) / alone[value]) for value in each[0])
            hidden = sum(log2(together[each[at][i]] / alone[each[0][i]]) for i in rows)
            # A row that stays loses what the table loses on average, one that does not all.
            bits += (len(rows) - len(out)) * hidden / len(rows) + len(out) * all_there_is / len(
                rows
            )
        squares = sum(sizes[shown[i]] if i not in out else len(rows) for i in rows)
        found.append((bits / len(rows), squares))
    return min(bits for bits, _ in found), min(squares for _, squares in found)


@pytest.mark.parametrize("share", ["0", "0.1", "0.3"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_least_of_every_choice(seed, share):
    drawn = np.random.default_rng(seed)
    values = [drawn.integers(0, 6, 40), drawn.integers(0, 4, 40)]
    levels = [[value // width for width in (1, 2, 6)] for value in values]
    found = least_lost(levels, 3, float(share))
    entropy, discernibility = by_hand([[list(c) for c in e] for e in levels], 3, Fraction(share))
    assert found["entropy"] == pytest.approx(entropy)
    assert found["discernibility"] == discernibility


def test_a_group_of_k_stays():
    groups = np.arange(12) // 3
    assert least_lost([[groups, groups * 0]], 3, 0.0) == {"entropy": 0, "discernibility": 36}
