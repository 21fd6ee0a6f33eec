"""The least loss of any choice of levels, found by trying every choice.

All rows of a value go to one level. Rows in groups below k are left out, at most a given share of
them. The module returns the least bits and the least discernibility, each by itself.
"""

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int64]


def on_each_level(con: Any, names: list[str]) -> list[list[Codes]]:
    """What each row is on each level of each attribute, as numbers."""
    found = []
    for name in names:
        rows = con.execute(
            "select level, list(code order by person) from (select 0 as level, person, "
            f"dense_rank() over (order by {name}::varchar) as code from people union all "
            "select level, person, dense_rank() over (partition by level order by generalized) "
            f"from people join hierarchies on attribute = '{name}' and value = {name}::varchar"
            ") group by level order by level"
        ).fetchall()
        found.append([np.array(codes, dtype=np.int64) - 1 for _, codes in rows])
    return found


def _certain(sizes: NDArray[Any]) -> float:
    sizes = sizes[sizes > 0]
    return float((sizes * np.log2(sizes)).sum())


def least_lost(levels: list[list[Codes]], k: int, share: float) -> Mapping[str, float]:
    """The least of both measures over all choices that leave out no more than allowed."""
    rows = len(levels[0][0])
    apart = [_certain(np.bincount(each[0])) for each in levels]
    bits = [
        [(_certain(np.bincount(codes)) - known) / rows for codes in each]
        for each, known in zip(levels, apart, strict=True)
    ]
    whole = sum(np.log2(rows) - known / rows for known in apart)
    entropy, discernibility = float("inf"), float("inf")
    for choice in product(*(range(len(each)) for each in levels)):
        group = np.zeros(rows, dtype=np.int64)
        for each, level in zip(levels, choice, strict=True):
            group = group * (int(each[level].max()) + 1) + each[level]
        sizes = np.unique(group, return_counts=True)[1]
        left_out = int(sizes[sizes < k].sum())
        if left_out > share * rows:
            continue
        lost = sum(each[level] for each, level in zip(bits, choice, strict=True))
        out = left_out / rows
        entropy = min(entropy, float((1 - out) * lost + out * whole))
        squares = int((sizes[sizes >= k].astype(object) ** 2).sum())
        discernibility = min(discernibility, float(squares + left_out * rows))
    return {"entropy": entropy, "discernibility": discernibility}
