"""Diversity of sensitive values by the definitions; distances by moving shares at least cost."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from math import exp, log


def groups_of(rows, groups, sensitive, respondent=None):
    """How often each group has each value: in rows, or once for each respondent."""
    seen = [(tuple(r[g] for g in groups), r[sensitive], respondent and r[respondent]) for r in rows]
    found = {}
    for group, value, _ in set(seen) if respondent else seen:
        found.setdefault(group, Counter())[value] += 1
    return found


def least_cost(supply, demand, cost):
    """What it costs to turn one distribution into another, by least-cost paths."""
    left = {a: n for a, n in supply.items() if n}
    wanted = {b: n for b, n in demand.items() if n}
    flow = Counter()
    while left:
        far = {("from", a): (Fraction(0), None) for a in left}
        for _ in range(len(supply) + len(demand)):
            for a in supply:
                for b in demand:
                    ways = [(("from", a), ("to", b), cost(a, b))]
                    if flow[a, b]:
                        ways.append((("to", b), ("from", a), -cost(a, b)))
                    for one, other, price in ways:
                        if one in far and (other not in far or far[one][0] + price < far[other][0]):
                            far[other] = (far[one][0] + price, one)
        end = min((("to", b) for b in wanted if ("to", b) in far), key=lambda node: far[node][0])
        path = [end]
        while far[path[-1]][1] is not None:
            path.append(far[path[-1]][1])
        path.reverse()
        steps = list(pairwise(path))
        backward = [flow[o[1], n[1]] for n, o in steps if n[0] == "to"]
        amount = min([left[path[0][1]], wanted[end[1]], *backward])
        for one, other in steps:
            if one[0] == "from":
                flow[one[1], other[1]] += amount
            else:
                flow[other[1], one[1]] -= amount
        for rest, key in ((left, path[0][1]), (wanted, end[1])):
            rest[key] -= amount
            if not rest[key]:
                del rest[key]
    return sum(amount * cost(a, b) for (a, b), amount in flow.items())


def figures(counts, whole, cost, l=2):  # noqa: E741
    """The figures of one group among the counts of the whole table."""
    n, total = counts.total(), whole.total()
    sizes = sorted(counts.values(), reverse=True)
    tail = sum(sizes[l - 1 :])
    q = {v: Fraction(counts[v], n) for v in whole}
    p = {v: Fraction(c, total) for v, c in whole.items()}
    return {
        "distinct_l": len(counts),
        "frequency_l": n / sizes[0],
        "entropy_l": exp(-sum(c / n * log(c / n) for c in sizes)),
        "recursive_c": sizes[0] / tail if tail else None,
        "t": float(least_cost(p, q, cost)),
        "beta": float(max(max((q[v] - p[v]) / p[v] for v in whole), 0)),
    }


def of_table(rows, groups, sensitive, cost, respondent=None, l=2):  # noqa: E741
    """The figures of every group; `cost` is made for the values that there are."""
    found = groups_of(rows, groups, sensitive, respondent)
    whole = sum(found.values(), Counter())
    distance = cost(sorted(whole, key=lambda v: (v is not None, v if v is not None else 0)))
    return {group: figures(counts, whole, distance, l) for group, counts in found.items()}


def equal(_):
    return lambda a, b: Fraction(a != b)


def ordered(values):
    place = {v: i for i, v in enumerate(values)}
    return lambda a, b: Fraction(abs(place[a] - place[b]), max(len(values) - 1, 1))


def hierarchical(levels):
    """`levels` give what a value is on level 1, 2 and so on; above them lies the root."""

    def of(values):
        paths = {v: [v, *(level(v) for level in levels)] for v in values}
        whole = [i for i in range(len(levels) + 1) if len({p[i] for p in paths.values()}) == 1]
        root = whole[0] if whole else len(levels) + 1

        def cost(a, b):
            same = [i for i in range(len(levels) + 1) if paths[a][i] == paths[b][i]]
            return Fraction(min([root, *same]), max(root, 1))

        return cost

    return of
