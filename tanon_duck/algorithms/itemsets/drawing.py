"""How often each imagined row is added, drawn where only the holder of a key can foresee it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256

import numpy as np

from .transactions import Integers, Transactions


def drawn_copies(added: Transactions, k: int, key: bytes, texts: Sequence[str]) -> Integers:
    """For each row one number from k to 2 k, all alike likely and none hanging on the others.

    They hang on nothing but the key and the items of the row: so every table that, with the same
    rows added, could have given the supports published is as likely after as before.
    """
    ends = np.cumsum(np.bincount(added.rows, minlength=added.n_rows))
    seen: Counter[bytes] = Counter()
    copies = np.zeros(added.n_rows, dtype=np.int64)
    for row, items in enumerate(np.split(added.items, ends[:-1]) if added.n_rows else []):
        encoded = b"".join(_encoded(texts[item]) for item in items)
        again = _encoded(str(seen[encoded]))
        seen[encoded] += 1
        drawn = int.from_bytes(sha256(key + again + encoded).digest()[:12], "big")
        copies[row] = k + drawn % (k + 1)
    return copies


def _encoded(text: str) -> bytes:
    """The text with its length in front, so that no two lists of texts look alike."""
    spelt = text.encode()
    return b"%d:%s" % (len(spelt), spelt)
