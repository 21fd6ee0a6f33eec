"""A plain (k,P)-anonymous release for the tests: own patterns, groups by mean value."""

from collections import defaultdict
from statistics import NormalDist

import numpy as np


def word(values, level):
    """Return the letters (0 = 'a') of one series, by the definition."""
    values = np.asarray(values, dtype=float)
    if values.max() == values.min():
        normalized = np.zeros(values.size)
    else:
        normalized = (values - values.mean()) / values.std(ddof=1)
    breaks = [NormalDist().inv_cdf(j / level) for j in range(1, level)]
    return tuple(int(sum(b <= z + 1e-12 for b in breaks)) for z in normalized)


def subgroups(series, p, highest):
    """Return lists of at least p rows with the same word, the highest level first."""
    left, found = list(range(len(series))), []
    for level in range(highest, 0, -1):
        by_word = defaultdict(list)
        for row in left:
            by_word[word(series[row], level)].append(row)
        left = []
        for letters, rows in sorted(by_word.items()):
            rows.sort(key=lambda row: float(np.mean(series[row])))
            while len(rows) >= 2 * p:
                found.append((level, letters, rows[:p]))
                rows = rows[p:]
            if len(rows) >= p:
                found.append((level, letters, rows))
            else:
                left += rows
    if left and found:
        level_one = (1, (0,) * len(series[0]))
        same = [group for group in found if group[:2] == level_one]
        if same:
            same[0][2].extend(left)
    return found


def simple_release(series, k, p, highest=6):
    """Return a dictionary per published row; `row` is the original's (absent: suppressed)."""
    series = np.asarray(series, dtype=float)
    ordered = sorted(subgroups(series, p, highest), key=lambda g: float(series[g[2]].mean()))
    groups, current = [], []
    for subgroup in ordered:
        current.append(subgroup)
        if sum(len(rows) for _, _, rows in current) >= k:
            groups.append(current)
            current = []
    if current:
        groups[-1].extend(current)
    published, p_group = [], 0
    for k_group, members in enumerate(groups):
        everyone = [row for _, _, rows in members for row in rows]
        low, high = series[everyone].min(axis=0), series[everyone].max(axis=0)
        for level, letters, rows in members:
            p_group += 1
            published += [
                {
                    "row": row,
                    "k_group": k_group + 1,
                    "p_group": p_group,
                    "low": low.tolist(),
                    "high": high.tolist(),
                    "word": "".join(chr(ord("a") + letter) for letter in letters),
                    "level": level,
                }
                for row in rows
            ]
    return published
