"""Translate the Arrow values of the itemset functions into numpy arrays, and back.

Reading: ``transaction_calls`` and ``collection_calls`` yield one object for each row of a column.
Writing: ``itemset_lists``, ``channel_lists`` and ``sanitized_columns`` return Arrow lists.
Errors: ``errors_with_item_texts`` turns the algorithms' errors into errors for users.

SQL numbers items from 1, because DuckDB counts list elements from 1. The algorithms number items
from 0. Algorithms hold itemsets of different lengths in one matrix, in which -1 fills each row.
"""

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
from tanon_duck.algorithms.itemsets.sanitize import ChannelsLeftError, DrawCopies, Sanitized
from tanon_duck.algorithms.itemsets.transactions import Transactions
from tanon_duck.errors import TanonError
from tanon_duck.udfs._arrow import list_array, struct_array

TRANSACTIONS = (
    'STRUCT("function" VARCHAR, pairs STRUCT("row" INTEGER, code INTEGER)[], n_rows BIGINT, '
    "texts VARCHAR[], min_support DOUBLE, is_share BOOLEAN, max_length INTEGER)"
)
COLLECTION = (
    'STRUCT("function" VARCHAR, "sets" STRUCT(codes INTEGER[], support BIGINT)[], texts VARCHAR[])'
)
CHANNEL = "STRUCT(base INTEGER[], top INTEGER[], frequency BIGINT)"
CHANNELS = f"{CHANNEL}[]"
# A key from which the number of copies of each added transaction is drawn. If it is NULL, the
# methods add each transaction k times.
KEY = "BLOB"


@dataclass(frozen=True)
class TransactionsCall:
    """The arguments of one call of a function that takes transactions."""

    function: str  # its SQL name, for messages
    transactions: Transactions
    min_count: int  # transactions that a frequent itemset needs
    max_length: int  # items that an itemset may have
    texts: Sequence[str]  # the text of each item, by its number from 0


@dataclass(frozen=True)
class CollectionCall:
    """The arguments of one call of a function that takes itemsets and their supports."""

    function: str  # its SQL name, for messages
    collection: Itemsets
    texts: Sequence[str]  # the text of each item, by its number from 0


def transaction_calls(column: pa.ChunkedArray) -> Iterator[TransactionsCall]:
    """Yield the call in each row of a column of type TRANSACTIONS."""
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
        support = call["min_support"].as_py()
        min_count = minimum_count(support, n_rows) if call["is_share"].as_py() else int(support)
        max_length = or_unbounded(call["max_length"].as_py())
        yield TransactionsCall(call["function"].as_py(), transactions, min_count, max_length, texts)


def or_unbounded(length: int | None) -> int:
    """Return the bound of a number of items, UNBOUNDED if it is NULL."""
    return UNBOUNDED if length is None else length


def copies_by_key(
    call: TransactionsCall | CollectionCall, k: int, key: bytes | None
) -> DrawCopies | None:
    """Return a function that draws how often each added transaction is added.

    The numbers are between k and 2 k and depend on the key and on the texts of the items. Return
    None if the key is NULL.
    """
    if key is None:
        return None
    return lambda added: drawn_copies(added, k, key, call.texts)


def collection_calls(column: pa.ChunkedArray) -> Iterator[CollectionCall]:
    """Yield the call in each row of a column of type COLLECTION."""
    for call in pa.chunked_array(column).combine_chunks():
        function, texts = call["function"].as_py(), call["texts"].as_py() or []
        padded, supports = padded_itemsets(call["sets"].values)
        with errors_with_item_texts(function, texts):
            collection = Itemsets.from_padded(len(texts), padded, supports)
            yield CollectionCall(function, collection, texts)


def padded_itemsets(structs: pa.Array | None) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return itemsets as a matrix of item numbers from 0, padded with -1, and their supports.

    ``structs`` has the fields ``codes``, lists of item numbers from 1, and ``support``. For
    example the lists [1, 3] and [2] become the rows (0, 2) and (1, -1).
    """
    if structs is None:
        return np.empty((0, 0), np.int32), np.empty(0, np.int64)
    lengths = integers(structs.field("codes").value_lengths())
    codes = integers(structs.field("codes").flatten()) - 1
    position = np.arange(codes.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    padded = np.full((lengths.size, int(lengths.max(initial=0))), -1, dtype=np.int32)
    padded[np.repeat(np.arange(lengths.size), lengths), position] = codes
    return padded, integers(structs.field("support"))


def integers(values: pa.Array) -> NDArray[np.int64]:
    """Return an Arrow array of integers as a numpy array."""
    return np.asarray(values.to_numpy(zero_copy_only=False), dtype=np.int64)


@contextmanager
def errors_with_item_texts(function: str, texts: Sequence[str]) -> Iterator[None]:
    """Turn errors of the itemset algorithms into TanonErrors that name the SQL function.

    Messages show the texts of items instead of their numbers.
    """
    try:
        yield
    except MissingItemsetError as error:
        missing = [texts[code] for code in error.itemset]
        raise TanonError(
            f"{function}: release must hold every subset of its itemsets (if it holds closed "
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
    """Return one list of structs for each call; each call is the columns of its fields."""
    return list_array([struct_array(columns, element) for columns in calls], element)


def itemset_lists(collection: Itemsets) -> pa.Array:
    """Return one list of item numbers from 1 for each itemset of a collection."""
    offsets, codes, _ = collection.flat()
    return _lists_of_codes(offsets, codes)


def supports_column(supports: Sequence[NDArray[np.int64]]) -> pa.Array:
    """Return the supports of all itemsets, which come as one array for each itemset length."""
    return pa.array(np.concatenate([np.empty(0, np.int64), *supports]), pa.int64())


def sanitized_columns(result: Sanitized) -> tuple[pa.Array, pa.Array, pa.Array]:
    """Return three columns: the published itemsets, their true and their published supports."""
    return (
        itemset_lists(result.published),
        supports_column(result.original_supports()),
        supports_column(result.published.supports),
    )


def lists_without_padding(padded: NDArray[Any]) -> pa.Array:
    """Return one list of item numbers from 1 for each row of numbers from 0, padded with -1."""
    offsets = np.concatenate([[0], np.cumsum((padded >= 0).sum(axis=1))])
    return _lists_of_codes(offsets, padded[padded >= 0])


def _lists_of_codes(offsets: NDArray[Any], codes: NDArray[Any]) -> pa.Array:
    """Return lists of item numbers from 1; list i is ``codes[offsets[i] : offsets[i + 1]] + 1``."""
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(codes + 1, pa.int32()))


def channel_lists(channels_of_calls: Sequence[Channels]) -> pa.Array:
    """Return one list of inference channels for each call."""
    parts = [
        (
            lists_without_padding(channels.base),
            lists_without_padding(channels.top),
            pa.array(channels.frequency, pa.int64()),
        )
        for channels in channels_of_calls
    ]
    return lists_of_structs(parts, CHANNEL)
