"""Derives association rules from a collection that contains all subsets of its itemsets.

A rule "antecedent -> consequent" divides an itemset into two parts. Its confidence is the support
of the itemset divided by the support of the antecedent. Its lift is the confidence divided by the
share of rows that contain the consequent.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tanon_duck.algorithms.checkpoint import check

from .collection import Itemsets, subset_levels
from .transactions import Codes, Flags, Integers

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rules:
    """Rules; both sides are item numbers, padded with -1."""

    antecedent: Codes
    consequent: Codes
    support: Integers
    confidence: Floats
    lift: Floats


@dataclass(frozen=True)
class _Splits:
    """Ways to divide itemsets of one size into antecedent and consequent.

    ``itemset`` is the itemset's position in its level, ``antecedent`` that of the antecedent.
    ``moved`` marks the items of the consequent.
    """

    itemset: Integers
    moved: Flags
    antecedent: Integers


def association_rules(
    collection: Itemsets, min_confidence: float, min_lift: float, max_consequent: int
) -> Rules:
    """Return all rules with at least this confidence and lift.

    A consequent has at most ``max_consequent`` items. To move a further item to the consequent
    never increases the confidence. So no item moves if the confidence is too low already.
    """
    above: Integers | None = None
    subsets: list[Integers] = [np.empty((0, 0), dtype=np.int64)]
    rules = []
    for size, above in subset_levels(collection):
        check()
        subsets.append(above)
        splits = _without_consequent(above.shape[0], size)
        for moved in range(1, min(size, max_consequent + 1)):
            check()
            splits = _move_one(collection, subsets[size - moved + 1], splits, size, min_confidence)
            if not splits.itemset.size:
                break
            rules.append(_rules(collection, splits, size, moved, min_lift))
    return _concatenate(rules)


def _without_consequent(count: int, size: int) -> _Splits:
    """Return the splits of all itemsets of a size, with all items in the antecedent."""
    return _Splits(np.arange(count), np.zeros((count, size), np.bool_), np.arange(count))


def _move_one(
    collection: Itemsets, subsets: Integers, splits: _Splits, size: int, min_confidence: float
) -> _Splits:
    """Return the splits with one more item in the consequent, later than its other items."""
    n_antecedent = subsets.shape[1]
    last = np.where(
        splits.moved.any(axis=1), size - 1 - np.argmax(splits.moved[:, ::-1], axis=1), -1
    )
    not_moved = np.argsort(splits.moved, axis=1, kind="stable")[:, :n_antecedent]
    row, column = np.nonzero(not_moved > last[:, None])
    antecedent = subsets[splits.antecedent[row], column]
    support = collection.supports[size][splits.itemset[row]]
    antecedent_support = collection.supports[n_antecedent - 1][antecedent]
    is_confident = support >= min_confidence * antecedent_support
    row, column, antecedent = row[is_confident], column[is_confident], antecedent[is_confident]
    moved = splits.moved[row]
    moved[np.arange(row.size), not_moved[row, column]] = True
    return _Splits(splits.itemset[row], moved, antecedent)


def _rules(collection: Itemsets, splits: _Splits, size: int, moved: int, min_lift: float) -> Rules:
    """Return the rules of splits with ``moved`` items in the consequent and at least this lift."""
    items = collection.levels[size][splits.itemset]
    consequent = items[splits.moved].reshape(-1, moved)
    antecedent = items[~splits.moved].reshape(-1, size - moved)
    support = collection.supports[size][splits.itemset]
    confidence = support / collection.supports[size - moved][splits.antecedent]
    share = collection.supports[moved][collection.trie.find(consequent)] / collection.n_rows
    lift = confidence / share
    enough = lift >= min_lift
    return Rules(
        antecedent[enough], consequent[enough], support[enough], confidence[enough], lift[enough]
    )


def _concatenate(parts: list[Rules]) -> Rules:
    """Return the rules of all parts, padded to the same width."""
    width = max((max(r.antecedent.shape[1], r.consequent.shape[1]) for r in parts), default=0)
    sides = [
        np.concatenate(
            [np.empty((0, width), np.int32)]
            + [np.pad(r, ((0, 0), (0, width - r.shape[1])), constant_values=-1) for r in side]
        )
        for side in ([p.antecedent for p in parts], [p.consequent for p in parts])
    ]
    return Rules(
        sides[0],
        sides[1],
        np.concatenate([np.empty(0, np.int64), *(p.support for p in parts)]),
        np.concatenate([np.empty(0), *(p.confidence for p in parts)]),
        np.concatenate([np.empty(0), *(p.lift for p in parts)]),
    )
