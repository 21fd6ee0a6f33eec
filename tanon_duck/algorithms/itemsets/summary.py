"""What sanitization cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .collection import Itemsets
from .mining import UNBOUNDED, frequent_itemsets
from .sanitize import Sanitized, changed_rows
from .transactions import Codes, Transactions

MANY_ROWS = 10


@dataclass(frozen=True)
class Summary:
    """Counts and relative changes of support over the published itemsets, None where are none."""

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
    """A sentence if the rows changed are more than a tenth of the rows there are."""
    changed = result.rows_added + result.rows_removed
    if changed * MANY_ROWS <= n_rows:
        return None
    verb = "added to" if result.rows_added else "left out of"
    return (
        f"{changed} transactions were {verb} {n_rows}, more than a tenth, so the supports say "
        "little: raise min_support, lower k, or publish only what at least k transactions repeat"
    )


def summarize(
    transactions: Transactions, result: Sanitized, min_count: int, max_length: int = UNBOUNDED
) -> Summary:
    """Compare what is published with the truth and with the rows that would explain it."""
    explained = frequent_itemsets(changed_rows(transactions, result), min_count, max_length)
    return compared(transactions.n_rows, result, explained)


def compared(n_rows: int, result: Sanitized, explained: Itemsets) -> Summary:
    """The same, where it is known what is frequent in the rows that would explain it.

    By the method 'additive' what was frequent before, and nothing else.
    """
    supports = np.concatenate([np.zeros(0, np.int64), *result.published.supports])
    originals = np.concatenate([np.zeros(0, np.int64), *result.original_supports()])
    changes = np.abs(supports - originals) / np.maximum(originals, 1)
    still_frequent = _common(result, explained.levels)
    return Summary(
        transactions=n_rows,
        rows_added=result.rows_added,
        rows_removed=result.rows_removed,
        itemsets=supports.size,
        share_touched=float((changes > 0).mean()) if supports.size else None,
        mean_change=float(changes.mean()) if supports.size else None,
        worst_change=float(changes.max()) if supports.size else None,
        itemsets_lost=len(result.original) - still_frequent,
        itemsets_spurious=len(explained) - still_frequent,
    )


def _common(result: Sanitized, levels: tuple[Codes, ...]) -> int:
    """How many of the itemsets were frequent before."""
    trie = result.original.trie
    known = len(result.original.levels)
    return sum(int((trie.find(level) >= 0).sum()) for level in levels[:known])
