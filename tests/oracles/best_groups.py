"""What no grouping can undercut: the exact optimum of small tables, a bound for large ones."""

import numpy as np


def width(rows):
    return float(np.sqrt(np.square(rows.max(axis=0) - rows.min(axis=0)).mean()))


def lowest_loss(points, smallest, loss):
    """Return the smallest mean loss of any partition into groups of that many rows or more."""

    def best(left):
        if not left:
            return 0.0
        first, rest = left[0], left[1:]
        lowest = np.inf
        for chosen in range(2 ** len(rest)):
            group = [first] + [row for i, row in enumerate(rest) if chosen >> i & 1]
            others = [row for i, row in enumerate(rest) if not chosen >> i & 1]
            if len(group) >= smallest and (not others or len(others) >= smallest):
                lowest = min(lowest, len(group) * loss(points[group]) + best(others))
        return lowest

    return best(list(range(len(points)))) / len(points)


def lowest_value_loss(series, k):
    """Return the smallest mean value loss of groups of k rows or more, whatever the patterns."""
    return lowest_loss(series, k, width)


def unit_shapes(series):
    """Return each series, none of them flat, less its mean and as long as one."""
    centred = series - series.mean(axis=1, keepdims=True)
    return centred / np.sqrt(np.square(centred).sum(axis=1, keepdims=True))


def lowest_pattern_loss(series, p):
    """Return a mean pattern loss below which no words of groups of p rows can come: the best
    groups, whatever the values, each with the direction of its mean, which no word beats.
    """
    return lowest_loss(
        unit_shapes(series), p, lambda shapes: 1.0 - np.linalg.norm(shapes.mean(axis=0))
    )


def nearest_shapes_bound(series, p):
    """Return a mean pattern loss below which no words of groups of p rows can come.

    The square of how long a group's mean shape is, is the mean correlation over its pairs of rows,
    each with itself among them. A row's mean can be no higher than over itself and its p - 1 most
    like rows; and the mean of roots is no larger than the root of the mean.
    """
    shapes = unit_shapes(series)
    likest = [np.sort(shapes @ shape)[-p:].mean() for shape in shapes]
    return float(1.0 - np.sqrt(np.mean(likest)))


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
