"""Random counts answered row by row, and what releases say of them by their definitions.

Which queries are drawn is taken from the code under test; every answer is worked out here.
"""

from collections import Counter
from fractions import Fraction
from statistics import median

import numpy as np

from tanon_duck.algorithms.counting import Attribute, drawn_queries

CLASSES = {
    "none": lambda share: share == 0,
    "below 0.1 %": lambda share: 0 < share < Fraction(1, 1000),
    "0.1 to 1 %": lambda share: Fraction(1, 1000) <= share < Fraction(1, 100),
    "1 to 10 %": lambda share: Fraction(1, 100) <= share < Fraction(1, 10),
    "10 % and more": lambda share: share >= Fraction(1, 10),
    "all": lambda share: True,
}


def values_of(rows, name):
    """The values of a column in their order, NULL first."""
    return sorted({row[name] for row in rows}, key=lambda v: (v is not None, v))


def asked(rows, names, queries, seed=0):
    """For each query the values that it asks for, by column."""
    attributes = []
    for name in names:
        values, counts = values_of(rows, name), Counter(row[name] for row in rows)
        is_text = all(isinstance(v, str) for v in values if v is not None)
        numbers = np.array([counts[v] for v in values])
        attributes.append(Attribute(numbers, not is_text, None in counts))
    return [
        {
            names[place]: {v for v, w in zip(values_of(rows, names[place]), of, strict=True) if w}
            for place, of in query.items()
        }
        for query in drawn_queries(attributes, queries, seed)
    ]


def count(rows, query):
    return sum(all(row[name] in wanted for name, wanted in query.items()) for row in rows)


def of_values(values, covered, wanted):
    """Which share of the values that one may stand for is wanted."""
    inside = [value for value in values if covered(value)]
    return Fraction(sum(value in wanted for value in inside), len(inside))


def of_time(start, end, first, after):
    """Which share of a granule lies between two moments."""
    return max(min(end, after) - max(start, first), type(end - start)(0)) / (end - start)


def summary(rows, answers):
    """Queries and medians by the share that is asked for, from (truth, estimate) pairs."""
    found = {}
    for name, holds in CLASSES.items():
        met = [(t, e) for t, e in answers if holds(Fraction(t, max(len(rows), 1)))]
        errors = [float(abs(e - t) / t) for t, e in met if t]
        found[name] = (
            len(met),
            median(errors) if errors else None,
            median(float(abs(e - t)) for t, e in met) if met else None,
        )
    return found
