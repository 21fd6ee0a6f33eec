"""What no grouping can undercut: the exact optimum of small tables, a bound for large ones."""

import numpy as np


def width(rows):
    return float(np.sqrt(np.square(rows.max(axis=0) - rows.min(axis=0)).mean()))


def lowest_value_loss(series, k):
    """Return the smallest mean value loss of any partition into groups of k rows or more."""

    def best(left):
        if not left:
            return 0.0
        first, rest = left[0], left[1:]
        lowest = np.inf
        for chosen in range(2 ** len(rest)):
            group = [first] + [row for i, row in enumerate(rest) if chosen >> i & 1]
            others = [row for i, row in enumerate(rest) if not chosen >> i & 1]
            if len(group) >= k and (not others or len(others) >= k):
                lowest = min(lowest, len(group) * width(series[group]) + best(others))
        return lowest

    return best(list(range(len(series)))) / len(series)


def nearest_bound(series, k):
    """Return a mean value loss below which no groups of k rows can come.

    The group of a row holds k - 1 others, the farthest of which is no nearer than its k-th
    nearest; and an envelope is as wide at each position as any two of its rows are apart.
    """
    bounds = []
    for row in series:
        distances = np.square(series - row).mean(axis=1)
        bounds.append(np.sqrt(np.partition(distances, k - 1)[k - 1]))
    return float(np.mean(bounds))
