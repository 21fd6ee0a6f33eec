"""Integer programmes that are put together row by row, solved by HiGHS the same way each time."""

from importlib import import_module
from typing import Any

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.reposition.costs import MICRO
from tanon_duck.algorithms.reposition.programme import NEEDS_SOLVER

Row = dict[int, int]
# a limit of nodes is met at the same place on every machine, one of seconds is not
MOST_NODES = 200


class Integers:
    """Columns of whole numbers from zero, rows over them, and a first solution."""

    def __init__(self) -> None:
        try:
            self._highspy: Any = import_module("highspy")
        except ImportError:
            raise ImportError(NEEDS_SOLVER) from None
        self.costs: list[int] = []
        self.most: list[int] = []
        self.first: list[int] = []
        self.rows: list[Row] = []
        self.bounds: list[tuple[float, float]] = []

    def column(self, cost: int, most: int, *, starts_full: bool) -> int:
        """Add a number from 0 to most, each costing so many millionths."""
        self.costs.append(cost)
        self.most.append(most)
        self.first.append(most if starts_full else 0)
        return len(self.costs) - 1

    def equal(self, row: Row, value: int) -> None:
        """Say what a sum is."""
        self.rows.append(row)
        self.bounds.append((value, value))

    def share(self, part: Row, whole: Row, p: int, q: int) -> None:
        """Say that a part is at most q / p of the whole."""
        columns = {**whole, **part}
        self.rows.append({c: p * part.get(c, 0) - q * whole.get(c, 0) for c in columns})
        self.bounds.append((-self._highspy.kHighsInf, 0))

    def solve(self) -> tuple[list[int], int]:
        """Return the cheapest solution, and how much cheaper another could be at most."""
        highs = self._highspy.Highs()
        for name, value in (
            ("output_flag", False),
            ("threads", 1),
            ("parallel", "off"),
            ("mip_rel_gap", 1e-9),
            ("mip_max_nodes", MOST_NODES),
        ):
            highs.setOptionValue(name, value)
        highs.passModel(self._model())
        first = self._highspy.HighsSolution()
        first.col_value = [float(value) for value in self.first]
        highs.setSolution(first)
        self._run(highs)
        found = [round(value) for value in highs.getSolution().col_value]
        spent = sum(cost * value for cost, value in zip(self.costs, found, strict=True))
        gap = spent - highs.getInfo().mip_dual_bound * MICRO
        # the solver counts in floating point: a part in 10^9 is its noise
        return found, round(gap) if gap > max(2.0, 1e-9 * spent) else 0

    def _run(self, highs: Any) -> None:
        """Solve; whoever interrupts is heard where the solver looks up."""
        stopped: list[BaseException] = []

        def look_up(event: Any) -> None:
            try:
                check()
            except BaseException as reason:
                stopped.append(reason)
                event.interrupt()

        highs.cbMipInterrupt += look_up
        highs.run()
        highs.clearCallbacks()
        if stopped:
            raise stopped[0]
        kinds = self._highspy.HighsModelStatus
        if highs.getModelStatus() not in (kinds.kOptimal, kinds.kSolutionLimit):
            status = highs.modelStatusToString(highs.getModelStatus())
            raise RuntimeError(f"the placement could not be solved: {status}")

    def _model(self) -> Any:
        lp = self._highspy.HighsLp()
        lp.num_col_, lp.num_row_ = len(self.costs), len(self.rows)
        lp.col_cost_ = np.array(self.costs) / MICRO
        lp.col_lower_ = np.zeros(len(self.costs))
        lp.col_upper_ = np.array(self.most, float)
        lp.row_lower_, lp.row_upper_ = np.array(self.bounds, float).T.copy()
        lp.a_matrix_.format_ = self._highspy.MatrixFormat.kRowwise
        lengths = [len(row) for row in self.rows]
        lp.a_matrix_.start_ = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
        lp.a_matrix_.index_ = np.array([c for row in self.rows for c in row], np.int32)
        lp.a_matrix_.value_ = np.array([x for row in self.rows for x in row.values()], float)
        lp.integrality_ = [self._highspy.HighsVarType.kInteger] * len(self.costs)
        return lp
