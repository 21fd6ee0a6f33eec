"""Integer programmes that are built row by row and solved by HiGHS.

Settings of HiGHS are such that each run gives the same solution.
"""

from importlib import import_module
from typing import Any

import numpy as np

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.reposition.costs import MICRO
from tanon_duck.algorithms.reposition.placement import without_rounding
from tanon_duck.algorithms.reposition.programme import NEEDS_SOLVER

# A sum: column -> factor.
Row = dict[int, int]
# The search ends after this many nodes. A limit of seconds would give other solutions on other
# machines.
MOST_NODES = 200


class IntegerProgramme:
    """Integer variables (columns) with costs, conditions (rows), and a first solution."""

    def __init__(self) -> None:
        """Load HiGHS; raise ImportError with advice if it is not installed."""
        try:
            self._highspy: Any = import_module("highspy")
        except ImportError:
            raise ImportError(NEEDS_SOLVER) from None
        self.costs: list[int] = []
        self.most: list[int] = []
        self.first: list[int] = []
        self.rows: list[Row] = []
        self.bounds: list[tuple[float, float]] = []

    def column(self, cost: int, most: int, *, starts_at_most: bool) -> int:
        """Add a variable from 0 to ``most``, and return the number of its column.

        A unit costs ``cost`` millionths. In the first solution it is ``most`` or 0.
        """
        self.costs.append(cost)
        self.most.append(most)
        self.first.append(most if starts_at_most else 0)
        return len(self.costs) - 1

    def require_sum(self, row: Row, value: int) -> None:
        """Require that a sum has this value."""
        self.rows.append(row)
        self.bounds.append((value, value))

    def require_share(self, part: Row, whole: Row, p: int, q: int) -> None:
        """Require that the sum ``part`` is at most q / p of the sum ``whole``."""
        columns = {**whole, **part}
        self.rows.append({c: p * part.get(c, 0) - q * whole.get(c, 0) for c in columns})
        self.bounds.append((-self._highspy.kHighsInf, 0))

    def solve(self) -> tuple[list[int], int]:
        """Return the value of each column, and how far the cost may be above the lowest one."""
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
        solution = [round(value) for value in highs.getSolution().col_value]
        total = sum(cost * value for cost, value in zip(self.costs, solution, strict=True))
        gap = total - highs.getInfo().mip_dual_bound * MICRO
        return solution, without_rounding(gap, total)

    def _run(self, highs: Any) -> None:
        """Run the solver until it ends or ``checkpoint.stop()`` interrupts it."""
        reasons: list[BaseException] = []

        def interrupt_if_stopped(event: Any) -> None:
            try:
                check()
            except BaseException as reason:
                reasons.append(reason)
                event.interrupt()

        highs.cbMipInterrupt += interrupt_if_stopped
        highs.run()
        highs.clearCallbacks()
        if reasons:
            raise reasons[0]
        statuses = self._highspy.HighsModelStatus
        if highs.getModelStatus() not in (statuses.kOptimal, statuses.kSolutionLimit):
            status = highs.modelStatusToString(highs.getModelStatus())
            raise RuntimeError(f"the placement could not be solved: {status}")

    def _model(self) -> Any:
        """Return the programme as an object of HiGHS."""
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
