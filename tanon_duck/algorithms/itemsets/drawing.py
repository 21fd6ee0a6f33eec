"""Draws how often the method 'additive' adds each row, so that only the key predicts it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256

import numpy as np

from .transactions import Integers, Transactions


def drawn_copies(added: Transactions, k: int, key: bytes, texts: Sequence[str]) -> Integers:
    """Return for each added row a random number from k to 2 k, all equally likely.

    The number depends only on the key and the texts of the row's items. So the published supports
    do not make any source more likely than another, if both lead to the same added rows.
    """
    ends = np.cumsum(np.bincount(added.rows, minlength=added.n_rows))
    seen: Counter[bytes] = Counter()
    copies = np.zeros(added.n_rows, dtype=np.int64)
    for row, items in enumerate(np.split(added.items, ends[:-1]) if added.n_rows else []):
        encoded = b"".join(_encoded(texts[item]) for item in items)
        repetition = _encoded(str(seen[encoded]))
        seen[encoded] += 1
        drawn = int.from_bytes(sha256(key + repetition + encoded).digest()[:12], "big")
        copies[row] = k + drawn % (k + 1)
    return copies


def _encoded(text: str) -> bytes:
    """Return the text with its length in front, so that different lists never look the same."""
    encoded = text.encode()
    return b"%d:%s" % (len(encoded), encoded)
