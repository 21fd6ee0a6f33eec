"""Measures how much sanitization changes supports, and writes the warning about it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .collection import Itemsets
from .mining import UNBOUNDED, frequent_itemsets
from .sanitize import Sanitized, changed_rows
from .transactions import Codes, Transactions

# More than one changed row in ten is worth a warning.
ROWS_PER_CHANGED_ROW = 10


@dataclass(frozen=True)
class Summary:
    """Counts, and relative changes of the published supports; None if no itemset is published."""

    transactions: int
    rows_added: int
    rows_removed: int
    itemsets: int
    share_touched: float | None
    mean_change: float | None
    worst_change: float | None
    itemsets_lost: int
    itemsets_spurious: int


def warning_of(n_rows: int, result: Sanitized) -> str | None:
    """Return a warning if more than a tenth of the rows were added or removed, otherwise None."""
    changed = result.rows_added + result.rows_removed
    if changed * ROWS_PER_CHANGED_ROW <= n_rows:
        return None
    verb = "added to" if result.rows_added else "left out of"
    return (
        f"{changed} transactions were {verb} {n_rows}, more than a tenth, so the supports say "
        "little: raise min_support, lower k, or publish only what at least k transactions repeat"
    )


def summarize(
    transactions: Transactions, result: Sanitized, min_count: int, max_length: int = UNBOUNDED
) -> Summary:
    """Return how much the published itemsets differ from the true ones.

    The changed rows are the source's rows with the added and without the removed rows. An itemset
    is lost, or spurious, if it is frequent only before, or only in the changed rows.
    """
    frequent = frequent_itemsets(changed_rows(transactions, result), min_count, max_length)
    return compared(transactions.n_rows, result, frequent)


def compared(n_rows: int, result: Sanitized, frequent_after: Itemsets) -> Summary:
    """Return how much the published itemsets differ, given the frequent itemsets afterwards.

    The method 'additive' does not change which itemsets are frequent.
    """
    supports = np.concatenate([np.zeros(0, np.int64), *result.published.supports])
    originals = np.concatenate([np.zeros(0, np.int64), *result.original_supports()])
    changes = np.abs(supports - originals) / np.maximum(originals, 1)
    still_frequent = _count_frequent_before(result, frequent_after.levels)
    return Summary(
        transactions=n_rows,
        rows_added=result.rows_added,
        rows_removed=result.rows_removed,
        itemsets=supports.size,
        share_touched=float((changes > 0).mean()) if supports.size else None,
        mean_change=float(changes.mean()) if supports.size else None,
        worst_change=float(changes.max()) if supports.size else None,
        itemsets_lost=len(result.original) - still_frequent,
        itemsets_spurious=len(frequent_after) - still_frequent,
    )


def _count_frequent_before(result: Sanitized, levels: tuple[Codes, ...]) -> int:
    """Return how many of these itemsets were frequent before sanitization."""
    trie = result.original.trie
    known = len(result.original.levels)
    return sum(int((trie.find(level) >= 0).sum()) for level in levels[:known])
