"""Translate Arrow columns of series and SAX words into numpy arrays, and back.

Reading: ``read_series``, ``read_words`` and ``read_integers`` read one column and check it.
``read_matrix`` reads all series of one call. ``rows_with_equal_numbers`` finds the rows that
numpy can compute together.
Writing: ``ColumnBuilder`` and ``bounds_of_groups`` return Arrow columns.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tanon_duck.algorithms.sax import Floats, Integers, Letters
from tanon_duck.errors import TanonError, must_be

FIRST_LETTER = ord("a")
# glibc returns the memory of each chunk to the system until the process has freed one large block.
# After that it reuses the memory for the next chunk, which halves the time of tanon.sax.
LARGE_BLOCK_BYTES = 24 << 20
np.empty(LARGE_BLOCK_BYTES, dtype=np.uint8)
AnyArray = npt.NDArray[np.generic]
Number = TypeVar("Number", bound=np.generic)


@dataclass(frozen=True)
class Ragged(Generic[Number]):
    """Rows of different lengths, stored one after the other in ``flat``.

    Row i is ``flat[starts[i] : starts[i] + lengths[i]]``. If ``null[i]``, its length is 0.
    """

    flat: npt.NDArray[Number]
    starts: Integers
    lengths: Integers
    null: npt.NDArray[np.bool_]

    def matrix(self, rows: Integers, width: int) -> npt.NDArray[Number]:
        """Return these rows, which all have ``width`` values, as a matrix.

        If they are all rows, the matrix is a view of ``flat`` instead of a copy.
        """
        if rows.size * width == self.flat.size:
            return self.flat.reshape(rows.size, width)
        matrix: npt.NDArray[Number] = self.flat[self.starts[rows, None] + np.arange(width)]
        return matrix


def _one_array(column: pa.ChunkedArray | pa.Array) -> pa.Array:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def read_series(column: pa.ChunkedArray, function: str) -> Ragged[np.float64]:
    """Read a DOUBLE[] column of series.

    Raise TanonError in the name of the SQL function ``function`` if a series has fewer than
    2 readings, or a reading that is not finite.
    """
    lists = _one_array(column)
    null = lists.is_null().to_numpy(zero_copy_only=False)
    offsets = lists.offsets.to_numpy().astype(np.int64)
    starts, lengths = offsets[:-1] - offsets[0], np.diff(offsets)
    values = lists.values.slice(offsets[0], offsets[-1] - offsets[0])
    flat = values.to_numpy(zero_copy_only=False)
    lengths[null] = 0
    # A finite sum proves that every reading is finite, and is much faster than isfinite(flat).
    with np.errstate(over="ignore", invalid="ignore"):
        sum_is_finite = np.isfinite(np.add.reduce(flat))
    wrong = 0 if sum_is_finite else int((~np.isfinite(flat)).sum())
    if wrong:
        raise TanonError(must_be(function, "series", "finite readings", f"{wrong} that are not"))
    if (lengths[~null] < 2).any():
        shortest = int(lengths[~null].min())
        raise TanonError(must_be(function, "series", "at least 2 readings", f"{shortest}"))
    return Ragged(flat, starts, lengths, null)


def read_words(column: pa.ChunkedArray) -> Ragged[np.uint8]:
    """Read a VARCHAR column of SAX words as letter numbers: 'a' is 0, 'b' is 1."""
    texts = _one_array(column)
    null = texts.is_null().to_numpy(zero_copy_only=False)
    encoded = texts.cast(pa.binary())
    _, offsets_buffer, data = encoded.buffers()
    offsets = np.frombuffer(offsets_buffer, dtype=np.int32)
    offsets = offsets[encoded.offset : encoded.offset + len(encoded) + 1].astype(np.int64)
    codes = np.frombuffer(data or b"", dtype=np.uint8)[offsets[0] : offsets[-1]]
    lengths = np.diff(offsets)
    lengths[null] = 0
    return Ragged(codes - np.uint8(FIRST_LETTER), offsets[:-1] - offsets[0], lengths, null)


def read_integers(
    column: pa.ChunkedArray, function: str, argument: str, lowest: int, highest: int
) -> tuple[Integers, npt.NDArray[np.bool_]]:
    """Return the numbers of an INTEGER column, ``lowest`` where NULL, and which rows are NULL.

    Raise TanonError in the name of the SQL function and its argument if a number is outside
    [lowest, highest].
    """
    array = _one_array(column)
    null = array.is_null().to_numpy(zero_copy_only=False)
    numbers = array.fill_null(lowest).to_numpy(zero_copy_only=False).astype(np.int64)
    outside = numbers[(numbers < lowest) | (numbers > highest)]
    if outside.size:
        allowed = f"an integer in [{lowest}, {highest}]"
        raise TanonError(must_be(function, argument, allowed, f"{outside[0]}"))
    return numbers, null


def rows_with_equal_numbers(
    null: npt.NDArray[np.bool_], *numbers: Integers
) -> Iterator[tuple[Integers, tuple[int, ...]]]:
    """Yield rows that can be computed together, with the numbers that they share.

    Each of ``numbers`` has one number per row, such as the length and the level of a series. All
    rows of one yielded array have the same numbers. NULL rows are in none.
    """
    rows = np.flatnonzero(~null)
    if not rows.size:
        return
    columns = np.stack([column[rows] for column in numbers])
    if (columns == columns[:, :1]).all():
        yield rows, tuple(columns[:, 0].tolist())
        return
    distinct, position = np.unique(columns, axis=1, return_inverse=True)
    for number in range(distinct.shape[1]):
        yield rows[position.ravel() == number], tuple(distinct[:, number].tolist())


class ColumnBuilder:
    """Builds an Arrow column from matrices that each hold some of its rows.

    A row that is in no matrix is NULL. Matrices may differ in their width.
    """

    def __init__(self, rows: int) -> None:
        self.widths = np.zeros(rows, dtype=np.int64)
        self.null = np.ones(rows, dtype=bool)
        self.parts: list[tuple[Integers, AnyArray]] = []

    def add(self, rows: Integers, matrix: AnyArray) -> None:
        """Add the values of these rows: row i of the matrix belongs to row ``rows[i]``."""
        self.widths[rows] = matrix.shape[1]
        self.null[rows] = False
        self.parts.append((rows, matrix))

    def _offsets_and_values(
        self, value_type: type[np.generic]
    ) -> tuple[npt.NDArray[np.int32], AnyArray]:
        """Return where each row starts, and the values of all rows one after the other."""
        offsets = np.concatenate(([0], np.cumsum(self.widths)))
        if len(self.parts) == 1:
            return offsets.astype(np.int32), np.ascontiguousarray(self.parts[0][1]).ravel()
        flat = np.zeros(int(offsets[-1]), dtype=value_type)
        for rows, matrix in self.parts:
            flat[offsets[rows, None] + np.arange(matrix.shape[1])] = matrix
        return offsets.astype(np.int32), flat

    def words(self) -> pa.Array:
        """Return the rows, which hold letter numbers (0 is 'a'), as a VARCHAR column of words."""
        offsets, letters = self._offsets_and_values(np.uint8)
        text = np.add(letters, FIRST_LETTER, dtype=np.uint8, casting="unsafe").tobytes()
        words = pa.StringArray.from_buffers(
            self.null.size, pa.py_buffer(offsets.tobytes()), pa.py_buffer(text)
        )
        if not self.null.any():
            return words
        return pa.compute.if_else(pa.array(~self.null), words, pa.scalar(None, pa.string()))

    def lists(self) -> pa.Array:
        """Return the rows, which hold numbers, as a DOUBLE[] column."""
        offsets, numbers = self._offsets_and_values(np.float64)
        mask = pa.array(self.null) if self.null.any() else None
        return pa.ListArray.from_arrays(pa.array(offsets), pa.array(numbers), mask=mask)


def require_letters_of_level(letters: Letters, level: int, function: str) -> None:
    """Raise TanonError if a letter is not among the first ``level`` letters of the alphabet."""
    if (letters >= level).any():
        last = chr(FIRST_LETTER + level - 1)
        raise TanonError(
            must_be(function, "word", f"letters from a to {last} at level {level}", "others")
        )


def read_matrix(column: pa.ChunkedArray, row: int) -> Floats:
    """Return the DOUBLE[][] value in this row of a column as a matrix with one series per row.

    The lists must have equal lengths, which the SQL functions check.
    """
    lists = column[row].values
    if lists is None or not len(lists):
        return np.zeros((0, 2))
    offsets = lists.offsets
    flat = lists.values.slice(offsets[0].as_py(), offsets[-1].as_py() - offsets[0].as_py())
    numbers: Floats = flat.to_numpy(zero_copy_only=False).reshape(len(lists), -1)
    return numbers


def bounds_of_groups(bounds: Floats, group: Integers) -> pa.Array:
    """Return the row ``bounds[g]`` as a DOUBLE[] for each g in ``group``, NULL if g is negative."""
    suppressed = group < 0
    lengths = np.where(suppressed, 0, bounds.shape[1])
    offsets = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
    flat = bounds[group[~suppressed]].ravel()
    mask = pa.array(suppressed) if suppressed.any() else None
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(flat), mask=mask)
