"""Local suppression by trying everything: which attributes of each group are hidden, at what cost.

A group is (values, respondents, rows). A mask is the set of attributes hidden, None if the rows of
the group are left out, which counts as one attribute more than there are.
"""

from collections import defaultdict
from itertools import combinations, product


def shown(values, mask):
    return tuple("*" if i in mask else value for i, value in enumerate(values))


def cost(groups, masks):
    return sum(
        rows * (len(values) + 1 if mask is None else len(mask))
        for (values, _, rows), mask in zip(groups, masks, strict=True)
    )


def holds(groups, masks, k):
    """Whether each value that is shown is shared by k respondents or more."""
    sharing = defaultdict(set)
    for (values, people, _), mask in zip(groups, masks, strict=True):
        if mask is not None:
            sharing[shown(values, mask)] |= people
    return all(len(people) >= k for people in sharing.values())


def fewest(groups, k):
    """The least cost of any choice for the groups below k, the others staying whole."""
    small = [group for group in groups if len(group[1]) < k]
    if not small:
        return 0
    width = len(small[0][0])
    every = [set(m) for n in range(1, width + 1) for m in combinations(range(width), n)]
    return min(
        cost(small, masks)
        for masks in product([*every, None], repeat=len(small))
        if holds(small, masks, k)
    )
