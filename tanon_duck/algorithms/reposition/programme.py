"""Placing open records in open slots at the lowest loss: a small integer programme.

Only the levels (and, for l = p/q, the sizes) of the slots need to be integers; with those
fixed the rest is a network flow, whose vertices are integral by themselves. Values
that stay clear of every level are pooled into one commodity per beta; a pooled value that
turns out to break a level gets its own rows and the programme is solved again.
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
# (commodity, home) -> records, and (commodity, home, slot) -> records
Supply = Mapping[tuple[int, int], int]
Moves = dict[tuple[int, int, int], int]

NEEDS_SOLVER = "needs the solver HiGHS: pip install 'tanon-duck[ilp]'"


@dataclass(frozen=True)
class Programme:
    """The columns and rows of one placement, in the solver's terms."""

    supply: IntArray
    cell: IntArray
    slot: IntArray
    capped: IntArray  # index of the (commodity, slot) level row of a column, -1: none
    capped_slot: IntArray
    gain: IntArray
    slots: int
    p: int
    q: int

    def triplets(self) -> tuple[IntArray, IntArray, IntArray]:
        """Return (column, row, coefficient): moves, then levels, then sizes if l is p/q."""
        moves = np.arange(len(self.cell))
        cells, caps, slots = len(self.supply), len(self.capped_slot), np.arange(self.slots)
        size_row = cells + caps + slots
        held = self.capped >= 0
        level = len(moves) + slots
        blocks = [
            (moves, self.cell, 1),
            (moves[held], cells + self.capped[held], 1),
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
    settings: Settings, supply: Supply, betas: Sequence[int], held: int, low: int, high: int
) -> Programme:
    """Set the programme up; the first `held` commodities must respect the levels."""
    keys = sorted(supply)
    commodity = np.array([key[0] for key in keys], np.int64)
    homes = np.array([key[1] for key in keys], np.int64)
    first = np.maximum(homes, low)
    lengths = np.maximum(np.minimum(homes + settings.w - 1, high) - first + 1, 0)
    cell = np.repeat(np.arange(len(keys)), lengths)
    within = np.arange(len(cell)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    slot = first[cell] + within - low
    gain = np.asarray(betas, np.int64)[commodity[cell]]
    gain -= np.asarray(settings.mu, np.int64)[slot + low - homes[cell]]
    capped = np.full(len(cell), -1)
    here = commodity[cell] < held
    pairs = commodity[cell][here] * (high - low + 1) + slot[here]
    distinct, capped[here] = np.unique(pairs, return_inverse=True)
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
    """HiGHS, kept between programmes; single-threaded, so that answers do not vary."""

    def __init__(self) -> None:
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
        """Return the optimal moves (records per column) and an upper bound of the gain."""
        integers = programme.slots * (1 if programme.q == 1 else 2)
        first, bound = self._run(programme, integers, None)
        fixed = np.rint(first[len(programme.cell) :])
        moves, _ = self._run(programme, 0, fixed)
        return np.rint(moves[: len(programme.cell)]).astype(np.int64), bound * MICRO

    def _run(
        self, programme: Programme, integers: int, fixed: NDArray[np.float64] | None
    ) -> tuple[NDArray[np.float64], float]:
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
        highspy = self._highspy
        columns, rows, factors = programme.triplets()
        order = np.lexsort((rows, columns))
        moves = len(programme.cell)
        extra = programme.slots * (1 if programme.q == 1 else 2)
        lp = highspy.HighsLp()
        lp.num_col_ = moves + extra
        lp.col_cost_ = np.append(-programme.gain / MICRO, np.zeros(extra))
        whole = float(programme.supply.sum())
        limits = np.full(extra, whole)
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
