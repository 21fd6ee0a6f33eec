"""Between the Arrow values of the itemset functions and the arrays of the algorithms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tanon_duck.algorithms.itemsets.channels import Channels
from tanon_duck.algorithms.itemsets.collection import (
    CollectionError,
    Itemsets,
    MissingItemsetError,
)
from tanon_duck.algorithms.itemsets.drawing import drawn_copies
from tanon_duck.algorithms.itemsets.mining import UNBOUNDED, minimum_count
from tanon_duck.algorithms.itemsets.sanitize import ChannelsLeftError, Draw, Sanitized
from tanon_duck.algorithms.itemsets.transactions import Transactions
from tanon_duck.errors import TanonError
from tanon_duck.udfs._arrow import list_column, structs

TRANSACTIONS = (
    'STRUCT("function" VARCHAR, pairs STRUCT("row" INTEGER, code INTEGER)[], n_rows BIGINT, '
    "texts VARCHAR[], min_support DOUBLE, is_share BOOLEAN, max_length INTEGER)"
)
COLLECTION = (
    'STRUCT("function" VARCHAR, "sets" STRUCT(codes INTEGER[], support BIGINT)[], texts VARCHAR[])'
)
CHANNEL = "STRUCT(base INTEGER[], top INTEGER[], frequency BIGINT)"
CHANNELS = f"{CHANNEL}[]"
# The key that decides how many transactions are imagined; NULL: k for each group of channels.
DRAW = "BLOB"


@dataclass(frozen=True)
class Asked:
    """One call about transactions: codes from 0, and the texts of the items for messages."""

    function: str
    transactions: Transactions
    min_count: int
    max_length: int
    texts: Sequence[str]


@dataclass(frozen=True)
class Given:
    """One call about a collection of itemsets."""

    function: str
    collection: Itemsets
    texts: Sequence[str]


def asked(column: pa.ChunkedArray) -> Iterator[Asked]:
    """The calls in a column of TRANSACTIONS."""
    for call in pa.chunked_array(column).combine_chunks():
        texts = call["texts"].as_py() or []
        pairs = call["pairs"].values
        rows, codes = (
            (integers(pairs.field("row")), integers(pairs.field("code")) - 1)
            if pairs is not None
            else (np.empty(0, np.int64), np.empty(0, np.int64))
        )
        n_rows = call["n_rows"].as_py()
        transactions = Transactions.from_pairs(rows, codes, n_rows, len(texts))
        support, longest = call["min_support"].as_py(), call["max_length"].as_py()
        min_count = minimum_count(support, n_rows) if call["is_share"].as_py() else int(support)
        bound = UNBOUNDED if longest is None else longest
        yield Asked(call["function"].as_py(), transactions, min_count, bound, texts)


def draw_of(call: Asked | Given, k: int, key: bytes | None) -> Draw | None:
    """What draws with this key how often rows are imagined, by the texts of their items."""
    if key is None:
        return None
    return lambda added: drawn_copies(added, k, key, call.texts)


def given(column: pa.ChunkedArray) -> Iterator[Given]:
    """The calls in a column of COLLECTION."""
    for call in pa.chunked_array(column).combine_chunks():
        function, texts = call["function"].as_py(), call["texts"].as_py() or []
        padded, supports = padded_sets(call["sets"].values)
        with told(function, texts):
            yield Given(function, Itemsets.from_padded(len(texts), padded, supports), texts)


def padded_sets(sets: pa.Array | None) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Lists of codes from 1 as rows of codes from 0, padded with -1, and their supports."""
    if sets is None:
        return np.empty((0, 0), np.int32), np.empty(0, np.int64)
    lengths = integers(sets.field("codes").value_lengths())
    codes = integers(sets.field("codes").flatten()) - 1
    place = np.arange(codes.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    padded = np.full((lengths.size, int(lengths.max(initial=0))), -1, dtype=np.int32)
    padded[np.repeat(np.arange(lengths.size), lengths), place] = codes
    return padded, integers(sets.field("support"))


def integers(values: pa.Array) -> NDArray[np.int64]:
    """Arrow numbers as numpy has them."""
    return np.asarray(values.to_numpy(zero_copy_only=False), dtype=np.int64)


@contextmanager
def told(function: str, texts: Sequence[str]) -> Iterator[None]:
    """Errors of the algorithms in the words of the user: item texts instead of codes."""
    try:
        yield
    except MissingItemsetError as error:
        missing = [texts[code] for code in error.itemset]
        raise TanonError(
            f"{function}: collection must hold every subset of its itemsets (if it holds closed "
            f"itemsets only, say closed := true where that can be said), got none for {missing}"
        ) from None
    except ChannelsLeftError as error:
        base, top, frequency = error.channels.lists()[0]
        shown = [[texts[code] for code in side] for side in (base, top)]
        raise TanonError(
            f"{function}: method must be one that leaves no inference channel, got one that leaves "
            f"{len(error.channels)}, the first {shown[0]} -> {shown[1]} of frequency {frequency}; "
            "'additive' leaves none"
        ) from None
    except CollectionError as error:
        raise TanonError(f"{function}: {error}") from None


def lists_of_structs(calls: Sequence[Sequence[pa.Array]], element: str) -> pa.Array:
    """One list of structs for each call, given as the columns of its fields."""
    return list_column([structs(columns, element) for columns in calls], element)


def itemset_codes(collection: Itemsets) -> pa.Array:
    """The itemsets as lists of codes from 1, the way DuckDB counts list elements."""
    offsets, codes, _ = collection.flat()
    return _lists(offsets, codes)


def sanitized_columns(result: Sanitized) -> tuple[pa.Array, pa.Array, pa.Array]:
    """The itemsets published, their true supports, and those that are published."""
    originals, supports = (
        pa.array(np.concatenate([np.empty(0, np.int64), *levels]), pa.int64())
        for levels in (result.original_supports(), result.published.supports)
    )
    return itemset_codes(result.published), originals, supports


def padded_codes(padded: NDArray[Any]) -> pa.Array:
    """Rows padded with -1 as lists of codes from 1."""
    offsets = np.concatenate([[0], np.cumsum((padded >= 0).sum(axis=1))])
    return _lists(offsets, padded[padded >= 0])


def _lists(offsets: NDArray[Any], codes: NDArray[Any]) -> pa.Array:
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(codes + 1, pa.int32()))


def channel_lists(found: Sequence[Channels]) -> pa.Array:
    """One list of channels for each call."""
    parts = [
        (padded_codes(c.base), padded_codes(c.top), pa.array(c.frequency, pa.int64()))
        for c in found
    ]
    return lists_of_structs(parts, CHANNEL)
