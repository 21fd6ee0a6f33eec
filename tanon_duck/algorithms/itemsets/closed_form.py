"""Collections of closed itemsets: a check, and the collection of all their subsets."""

from __future__ import annotations

import numpy as np

from tanon_duck.algorithms.checkpoint import check

from .collection import CollectionError, Itemsets, lexicographic_order, require_enumerable
from .transactions import Codes, Integers


def require_closed_form(collection: Itemsets) -> None:
    """Raise unless one itemset is a subset of all others.

    A collection of all closed itemsets has one: the items that all rows contain, often none.
    """
    filled = [level for level in collection.levels if level.shape[0]]
    if not filled:
        return
    smallest = filled[0][0]
    in_all = all((level[:, :, None] == smallest).any(axis=1).all() for level in filled)
    if filled[0].shape[0] > 1 or not in_all:
        raise CollectionError(
            "release must hold the empty itemset, whose support is the number of transactions, "
            "or the items that every transaction has, got neither"
        )


def complete(collection: Itemsets) -> Itemsets:
    """Return all subsets of the itemsets of a collection of closed itemsets.

    A subset that is not in the collection has the largest support of its supersets.
    """
    require_enumerable(len(collection.levels) - 1)
    levels = list(collection.levels)
    supports = list(collection.supports)
    for size in range(len(levels) - 1, 0, -1):
        check()
        derived = np.concatenate([np.delete(levels[size], i, axis=1) for i in range(size)])
        inherited = np.tile(supports[size], size)
        levels[size - 1], supports[size - 1] = _merge(
            (levels[size - 1], supports[size - 1]), (derived, inherited), collection.n_items
        )
    return Itemsets(collection.n_items, tuple(levels), tuple(supports))


def _merge(
    listed: tuple[Codes, Integers], derived: tuple[Codes, Integers], n_items: int
) -> tuple[Codes, Integers]:
    """Return the itemsets of one size, without duplicates, and their supports.

    A listed itemset keeps its support. Any other has the largest of its derived supports.
    """
    rows = np.concatenate([listed[0], derived[0]])
    supports = np.concatenate([listed[1], derived[1]])
    order = lexicographic_order(rows, n_items)
    rows, supports = rows[order], supports[order]
    starts = np.ones(rows.shape[0], dtype=np.bool_)
    starts[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    first = np.flatnonzero(starts)
    largest = np.maximum.reduceat(supports, first) if first.size else supports
    is_listed = order[first] < listed[0].shape[0]
    return rows[first], np.where(is_listed, supports[first], largest)
