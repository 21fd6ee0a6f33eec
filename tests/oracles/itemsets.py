"""Itemsets and channels straight from their definitions, over every subset of a few items."""

from itertools import combinations, product

Row = frozenset[int]
Supports = dict[Row, int]


def subsets(items):
    """Every subset of the items."""
    ordered = sorted(items)
    return [frozenset(c) for size in range(len(ordered) + 1) for c in combinations(ordered, size)]


def support(rows, itemset):
    """Rows that hold the whole itemset."""
    return sum(itemset <= row for row in rows)


def frequent(rows, min_count, max_length=99):
    """Every itemset in at least `min_count` rows, with its support."""
    items = frozenset().union(*rows) if rows else frozenset()
    counted = {x: support(rows, x) for x in subsets(items) if len(x) <= max_length}
    return {x: s for x, s in counted.items() if s >= min_count and rows}


def closed(collection):
    """Those without a strict superset of equal support."""
    return {
        x: s
        for x, s in collection.items()
        if not any(x < y and s == t for y, t in collection.items())
    }


def maximal(collection):
    """Those without a strict superset in the collection."""
    return {x: s for x, s in collection.items() if not any(x < y for y in collection)}


def inclusion_exclusion(collection, base, top):
    """Rows with all of the base and none of the rest of the top, from supports alone."""
    return sum((-1) ** (len(x) - len(base)) * collection[x] for x in subsets(top) if base <= x)


def all_channels(collection, k):
    """Every (base, top) with 0 < frequency < k."""
    found = {}
    for top in collection:
        for base in subsets(top):
            frequency = inclusion_exclusion(collection, base, top)
            if base < top and 0 < frequency < k:
                found[base, top] = frequency
    return found


def maximal_channels(channels):
    """Channels that are weaker than no other one."""

    def weaker(one, other):
        return (
            one != other
            and one[0] <= other[0]
            and one[1] <= other[1]
            and one[1] - one[0] <= other[1] - other[0]
        )

    return {c: f for c, f in channels.items() if not any(weaker(c, other) for other in channels)}


def patterns_below(rows, top, k):
    """Whether some and/or/not sentence over the items is true for 1 to k - 1 rows."""
    counts = {}
    for row in rows:
        counts[row & top] = counts.get(row & top, 0) + 1
    kinds = list(counts.values())
    sums = {
        sum(c for c, chosen in zip(kinds, mask, strict=True) if chosen)
        for mask in product([0, 1], repeat=len(kinds))
    }
    return any(0 < total < k for total in sums)


def read_back(published):
    """What a reader of closed itemsets takes each subset's support to be."""
    everything = {x for y in published for x in subsets(y)}
    return {
        x: published[x] if x in published else max(s for y, s in published.items() if x < y)
        for x in everything
    }


def rules(collection, min_confidence):
    """Every split of every itemset into two parts, with confidence and lift."""
    n = collection[frozenset()]
    found = {}
    for whole, together in collection.items():
        for left in subsets(whole):
            right = whole - left
            if left and right and together >= min_confidence * collection[left]:
                confidence = together / collection[left]
                found[left, right] = (together, confidence, confidence / (collection[right] / n))
    return found
