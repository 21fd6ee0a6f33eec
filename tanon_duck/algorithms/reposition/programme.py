"""The integer programme that places pending records in slots at the lowest loss, and its solver.

A commodity is the records of one value, or of several pooled values with the same beta. A cell is
the records of one commodity with one origin. The variables are:

- moves: the records of a cell that go to a slot. The others are suppressed.
- levels: of each slot, the records that one value may have.
- sizes: of each slot, all records. Only for l = p/q that is no integer.

Only levels and sizes are declared as integers. If they are fixed, the rest is a network flow, whose
optimal solutions are integers anyway. ``build`` makes a ``Programme``, ``Solver`` solves it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tanon_duck.algorithms.reposition.costs import MICRO
from tanon_duck.algorithms.reposition.window import Settings

IntArray = NDArray[np.int64]
# (commodity, origin) -> records, and (commodity, origin, slot) -> records
Supply = Mapping[tuple[int, int], int]
Moves = dict[tuple[int, int, int], int]

NEEDS_SOLVER = "needs the solver HiGHS: pip install 'tanon-duck[ilp]'"


@dataclass(frozen=True)
class Programme:
    """The variables and conditions of one placement, as arrays for the solver.

    Move i takes records of cell ``cell[i]`` to slot ``slot[i]``, counted from 0, with this ``gain``
    per record over suppressing. ``supply`` has the records of each cell.
    """

    supply: IntArray
    cell: IntArray
    slot: IntArray
    capped: IntArray  # the condition "at most the level of the slot" of each move, -1: none
    capped_slot: IntArray  # the slot of each such condition
    gain: IntArray
    slots: int
    p: int
    q: int

    def triplets(self) -> tuple[IntArray, IntArray, IntArray]:
        """Return the entries of the matrix as arrays of columns, rows and coefficients.

        The columns are the moves, the levels and, if l is no integer, the sizes. The rows are the
        supplies of cells, the limits of values in slots, the sizes of slots and, if l is no
        integer, the ratios of levels and sizes.
        """
        moves = np.arange(len(self.cell))
        cells, caps, slots = len(self.supply), len(self.capped_slot), np.arange(self.slots)
        size_row = cells + caps + slots
        is_capped = self.capped >= 0
        level = len(moves) + slots
        blocks = [
            (moves, self.cell, 1),
            (moves[is_capped], cells + self.capped[is_capped], 1),
            (moves, size_row[self.slot], 1),
            (level[self.capped_slot], cells + np.arange(caps), -1),
        ]
        if self.q == 1:
            blocks.append((level, size_row, -self.p))
        else:
            size = level + self.slots
            ratio_row = size_row + self.slots
            blocks += [(size, size_row, -1), (size, ratio_row, self.q), (level, ratio_row, -self.p)]
        columns = np.concatenate([block[0] for block in blocks])
        rows = np.concatenate([block[1] for block in blocks])
        factors = np.concatenate([np.full(len(block[0]), block[2]) for block in blocks])
        return columns, rows, factors


def build(
    settings: Settings, supply: Supply, betas: Sequence[int], n_limiting: int, low: int, high: int
) -> Programme:
    """Return the programme for slots ``low`` to ``high``.

    The levels limit only the first ``n_limiting`` commodities. ``betas`` has the beta of each
    commodity.
    """
    keys = sorted(supply)
    commodity = np.array([key[0] for key in keys], np.int64)
    origins = np.array([key[1] for key in keys], np.int64)
    first = np.maximum(origins, low)
    lengths = np.maximum(np.minimum(origins + settings.w - 1, high) - first + 1, 0)
    cell = np.repeat(np.arange(len(keys)), lengths)
    within = np.arange(len(cell)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    slot = first[cell] + within - low
    gain = np.asarray(betas, np.int64)[commodity[cell]]
    gain -= np.asarray(settings.mu, np.int64)[slot + low - origins[cell]]
    capped = np.full(len(cell), -1)
    is_limiting = commodity[cell] < n_limiting
    pairs = commodity[cell][is_limiting] * (high - low + 1) + slot[is_limiting]
    distinct, capped[is_limiting] = np.unique(pairs, return_inverse=True)
    return Programme(
        supply=np.array([supply[key] for key in keys], np.int64),
        cell=cell,
        slot=slot,
        capped=capped,
        capped_slot=distinct % (high - low + 1),
        gain=gain,
        slots=high - low + 1,
        p=settings.l.numerator,
        q=settings.l.denominator,
    )


class Solver:
    """The solver HiGHS, with one thread, so that each run gives the same solution."""

    def __init__(self) -> None:
        """Load HiGHS; raise ImportError with advice if it is not installed."""
        try:
            self._highspy: Any = import_module("highspy")
        except ImportError:
            raise ImportError(NEEDS_SOLVER) from None
        self._highs = self._highspy.Highs()
        self._highs.setOptionValue("output_flag", False)
        self._highs.setOptionValue("threads", 1)
        self._highs.setOptionValue("parallel", "off")
        self._highs.setOptionValue("mip_rel_gap", 1e-9)

    def solve(self, programme: Programme) -> tuple[IntArray, float]:
        """Return the records of each move, and an upper bound of the total gain.

        First find the levels and sizes with the integer programme. Then fix them, and find the
        moves with the linear programme.
        """
        integers = programme.slots * (1 if programme.q == 1 else 2)
        first, bound = self._run(programme, integers, None)
        fixed = np.rint(first[len(programme.cell) :])
        moves, _ = self._run(programme, 0, fixed)
        return np.rint(moves[: len(programme.cell)]).astype(np.int64), bound * MICRO

    def _run(
        self, programme: Programme, integers: int, fixed: NDArray[np.float64] | None
    ) -> tuple[NDArray[np.float64], float]:
        """Return the value of each column, and an upper bound of the gain.

        ``integers`` is the number of integer columns. ``fixed`` are the values of levels and sizes.
        """
        highs = self._highs
        highs.clearSolver()
        highs.passModel(self._model(programme, integers, fixed))
        highs.run()
        status = highs.getModelStatus()
        if status != self._highspy.HighsModelStatus.kOptimal:
            raise RuntimeError(
                f"the placement could not be solved: {highs.modelStatusToString(status)}"
            )
        info = highs.getInfo()
        bound = -(info.mip_dual_bound if integers else info.objective_function_value)
        return np.array(highs.getSolution().col_value), bound

    def _model(self, programme: Programme, integers: int, fixed: NDArray[np.float64] | None) -> Any:
        """Return the programme as an object of HiGHS; ``_run`` explains the arguments."""
        highspy = self._highspy
        columns, rows, factors = programme.triplets()
        order = np.lexsort((rows, columns))
        moves = len(programme.cell)
        extra = programme.slots * (1 if programme.q == 1 else 2)
        lp = highspy.HighsLp()
        lp.num_col_ = moves + extra
        lp.col_cost_ = np.append(-programme.gain / MICRO, np.zeros(extra))
        all_records = float(programme.supply.sum())
        limits = np.full(extra, all_records)
        lp.col_lower_ = np.append(np.zeros(moves), np.zeros(extra) if fixed is None else fixed)
        lp.col_upper_ = np.append(
            programme.supply[programme.cell].astype(float), limits if fixed is None else fixed
        )
        lower, upper = _row_bounds(programme, highspy.kHighsInf)
        lp.num_row_ = len(lower)
        lp.row_lower_, lp.row_upper_ = lower, upper
        lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        starts = np.zeros(lp.num_col_ + 1, np.int32)
        np.cumsum(np.bincount(columns, minlength=lp.num_col_), out=starts[1:])
        lp.a_matrix_.start_ = starts
        lp.a_matrix_.index_ = rows[order].astype(np.int32)
        lp.a_matrix_.value_ = factors[order].astype(float)
        if integers:
            kinds = highspy.HighsVarType
            lp.integrality_ = [kinds.kContinuous] * moves + [kinds.kInteger] * extra
        return lp


def _row_bounds(
    programme: Programme, infinity: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the lower and the upper bound of each row, in the order of ``triplets``."""
    cells, caps, slots = len(programme.supply), len(programme.capped_slot), programme.slots
    at_least = np.zeros(slots)
    lower = [np.zeros(cells), np.full(caps, -infinity), at_least]
    upper = [programme.supply.astype(float), np.zeros(caps)]
    if programme.q == 1:
        upper.append(np.full(slots, infinity))
    else:
        lower.append(at_least)
        upper += [np.zeros(slots), np.full(slots, infinity)]
    return np.concatenate(lower), np.concatenate(upper)
