"""Association rules of a collection closed under subsets."""

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
    """Rules as item codes padded with -1."""

    antecedent: Codes
    consequent: Codes
    support: Integers
    confidence: Floats
    lift: Floats


@dataclass(frozen=True)
class _Splits:
    """Itemsets of one size, each with the flagged items taken as consequent."""

    itemset: Integers
    moved: Flags
    antecedent: Integers


def association_rules(
    collection: Itemsets, min_confidence: float, min_lift: float, max_consequent: int
) -> Rules:
    """All rules that reach the thresholds, both sides non-empty.

    Moving an item from the antecedent to the consequent never raises the confidence, so a split
    that fails is not split further.
    """
    above: Integers | None = None
    subsets: list[Integers] = [np.empty((0, 0), dtype=np.int64)]
    parts = []
    for size, above in subset_levels(collection):
        check()
        subsets.append(above)
        splits = _whole(above.shape[0], size)
        for moved in range(1, min(size, max_consequent + 1)):
            check()
            splits = _move_one(collection, subsets[size - moved + 1], splits, size, min_confidence)
            if not splits.itemset.size:
                break
            parts.append(_rules(collection, splits, size, moved, min_lift))
    return _joined(parts)


def _whole(count: int, size: int) -> _Splits:
    return _Splits(np.arange(count), np.zeros((count, size), np.bool_), np.arange(count))


def _move_one(
    collection: Itemsets, subsets: Integers, splits: _Splits, size: int, min_confidence: float
) -> _Splits:
    """Move one more item, later than those moved before, to the consequent."""
    left = subsets.shape[1]
    last = np.where(
        splits.moved.any(axis=1), size - 1 - np.argmax(splits.moved[:, ::-1], axis=1), -1
    )
    places = np.argsort(splits.moved, axis=1, kind="stable")[:, :left]
    row, place = np.nonzero(places > last[:, None])
    antecedent = subsets[splits.antecedent[row], place]
    whole = collection.supports[size][splits.itemset[row]]
    enough = whole >= min_confidence * collection.supports[left - 1][antecedent]
    row, place, antecedent = row[enough], place[enough], antecedent[enough]
    moved = splits.moved[row]
    moved[np.arange(row.size), places[row, place]] = True
    return _Splits(splits.itemset[row], moved, antecedent)


def _rules(collection: Itemsets, splits: _Splits, size: int, moved: int, min_lift: float) -> Rules:
    items = collection.levels[size][splits.itemset]
    consequent = items[splits.moved].reshape(-1, moved)
    antecedent = items[~splits.moved].reshape(-1, size - moved)
    support = collection.supports[size][splits.itemset]
    confidence = support / collection.supports[size - moved][splits.antecedent]
    share = collection.supports[moved][collection.trie.find(consequent)] / collection.n_rows
    lift = confidence / share
    kept = lift >= min_lift
    return Rules(antecedent[kept], consequent[kept], support[kept], confidence[kept], lift[kept])


def _joined(parts: list[Rules]) -> Rules:
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
