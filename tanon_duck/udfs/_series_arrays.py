"""Between Arrow columns of series and words and the numpy arrays of the algorithms."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tanon_duck.algorithms.sax import Floats, Integers, Letters
from tanon_duck.errors import TanonError, must_be

FIRST_LETTER = ord("a")
# glibc hands the memory of each chunk back to the system, page by page, until it has seen a large
# block freed; then it keeps what the next chunk needs. Halves the time of tanon.sax.
LARGE_BLOCK = 24 << 20
np.empty(LARGE_BLOCK, dtype=np.uint8)
AnyArray = npt.NDArray[np.generic]
Number = TypeVar("Number", bound=np.generic)


@dataclass(frozen=True)
class Ragged(Generic[Number]):
    """Rows of different lengths in one flat array; rows may be NULL."""

    flat: npt.NDArray[Number]
    starts: Integers
    lengths: Integers
    null: npt.NDArray[np.bool_]

    def block(self, rows: Integers, width: int) -> npt.NDArray[Number]:
        """Return rows of one length as a matrix, without a copy where they are all there is."""
        if rows.size * width == self.flat.size:
            return self.flat.reshape(rows.size, width)
        block: npt.NDArray[Number] = self.flat[self.starts[rows, None] + np.arange(width)]
        return block


def _one_array(column: pa.ChunkedArray | pa.Array) -> pa.Array:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def series_column(column: pa.ChunkedArray, function: str) -> Ragged[np.float64]:
    """Read a DOUBLE[] column; every series must have at least 2 readings, all finite."""
    lists = _one_array(column)
    null = lists.is_null().to_numpy(zero_copy_only=False)
    offsets = lists.offsets.to_numpy().astype(np.int64)
    starts, lengths = offsets[:-1] - offsets[0], np.diff(offsets)
    values = lists.values.slice(offsets[0], offsets[-1] - offsets[0])
    flat = values.to_numpy(zero_copy_only=False)
    lengths[null] = 0
    # A sum of readings is finite unless one of them is not, or they are huge.
    with np.errstate(over="ignore", invalid="ignore"):
        sound = np.isfinite(np.add.reduce(flat))
    wrong = 0 if sound else int((~np.isfinite(flat)).sum())
    if wrong:
        raise TanonError(must_be(function, "series", "finite readings", f"{wrong} that are not"))
    if (lengths[~null] < 2).any():
        shortest = int(lengths[~null].min())
        raise TanonError(must_be(function, "series", "at least 2 readings", f"{shortest}"))
    return Ragged(flat, starts, lengths, null)


def word_column(column: pa.ChunkedArray) -> Ragged[np.uint8]:
    """Read a VARCHAR column of words as letters counted from 'a'."""
    texts = _one_array(column)
    null = texts.is_null().to_numpy(zero_copy_only=False)
    encoded = texts.cast(pa.binary())
    _, offsets_buffer, data = encoded.buffers()
    offsets = np.frombuffer(offsets_buffer, dtype=np.int32)
    offsets = offsets[encoded.offset : encoded.offset + len(encoded) + 1].astype(np.int64)
    raw = np.frombuffer(data or b"", dtype=np.uint8)[offsets[0] : offsets[-1]]
    lengths = np.diff(offsets)
    lengths[null] = 0
    return Ragged(raw - np.uint8(FIRST_LETTER), offsets[:-1] - offsets[0], lengths, null)


def integer_column(
    column: pa.ChunkedArray, function: str, name: str, least: int, most: int
) -> tuple[Integers, npt.NDArray[np.bool_]]:
    """Read an INTEGER column within bounds; return the numbers and where they are NULL."""
    array = _one_array(column)
    null = array.is_null().to_numpy(zero_copy_only=False)
    numbers = array.fill_null(least).to_numpy(zero_copy_only=False).astype(np.int64)
    outside = numbers[(numbers < least) | (numbers > most)]
    if outside.size:
        allowed = f"an integer in [{least}, {most}]"
        raise TanonError(must_be(function, name, allowed, f"{outside[0]}"))
    return numbers, null


def alike(
    null: npt.NDArray[np.bool_], *numbers: Integers
) -> Iterator[tuple[Integers, tuple[int, ...]]]:
    """Yield the rows that are not NULL in groups that agree in all numbers."""
    rows = np.flatnonzero(~null)
    if not rows.size:
        return
    columns = np.stack([column[rows] for column in numbers])
    if (columns == columns[:, :1]).all():
        yield rows, tuple(columns[:, 0].tolist())
        return
    values, which = np.unique(columns, axis=1, return_inverse=True)
    for number in range(values.shape[1]):
        yield rows[which.ravel() == number], tuple(values[:, number].tolist())


class Assembly:
    """Puts blocks of rows of equal width back together as one column."""

    def __init__(self, rows: int) -> None:
        self.widths = np.zeros(rows, dtype=np.int64)
        self.null = np.ones(rows, dtype=bool)
        self.blocks: list[tuple[Integers, AnyArray]] = []

    def add(self, rows: Integers, block: AnyArray) -> None:
        self.widths[rows] = block.shape[1]
        self.null[rows] = False
        self.blocks.append((rows, block))

    def _flat(self, kind: type[np.generic]) -> tuple[npt.NDArray[np.int32], AnyArray]:
        offsets = np.concatenate(([0], np.cumsum(self.widths)))
        if len(self.blocks) == 1:
            return offsets.astype(np.int32), np.ascontiguousarray(self.blocks[0][1]).ravel()
        flat = np.zeros(int(offsets[-1]), dtype=kind)
        for rows, block in self.blocks:
            flat[offsets[rows, None] + np.arange(block.shape[1])] = block
        return offsets.astype(np.int32), flat

    def words(self) -> pa.Array:
        """Write letters as a VARCHAR column."""
        offsets, letters = self._flat(np.uint8)
        text = np.add(letters, FIRST_LETTER, dtype=np.uint8, casting="unsafe").tobytes()
        words = pa.StringArray.from_buffers(
            self.null.size, pa.py_buffer(offsets.tobytes()), pa.py_buffer(text)
        )
        if not self.null.any():
            return words
        return pa.compute.if_else(pa.array(~self.null), words, pa.scalar(None, pa.string()))

    def lists(self) -> pa.Array:
        """Write numbers as a DOUBLE[] column."""
        offsets, numbers = self._flat(np.float64)
        mask = pa.array(self.null) if self.null.any() else None
        return pa.ListArray.from_arrays(pa.array(offsets), pa.array(numbers), mask=mask)


def check_letters(letters: Letters, level: int, function: str) -> None:
    """Refuse letters that the level does not have."""
    if (letters >= level).any():
        last = chr(FIRST_LETTER + level - 1)
        raise TanonError(
            must_be(function, "pr", f"letters from a to {last} at level {level}", "others")
        )


def matrix(column: pa.ChunkedArray, call: int) -> Floats:
    """Read one DOUBLE[][] value whose lists SQL has checked to be of one length."""
    lists = column[call].values
    if lists is None or not len(lists):
        return np.zeros((0, 2))
    offsets = lists.offsets
    flat = lists.values.slice(offsets[0].as_py(), offsets[-1].as_py() - offsets[0].as_py())
    numbers: Floats = flat.to_numpy(zero_copy_only=False).reshape(len(lists), -1)
    return numbers


def rows_of_boxes(bounds: Floats, group: Integers) -> pa.Array:
    """Give every row the bounds of its group as a DOUBLE[]; NULL where the group is negative."""
    gone = group < 0
    per_row = np.where(gone, 0, bounds.shape[1])
    offsets = np.concatenate(([0], np.cumsum(per_row))).astype(np.int32)
    flat = bounds[group[~gone]].ravel()
    mask = pa.array(gone) if gone.any() else None
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(flat), mask=mask)
