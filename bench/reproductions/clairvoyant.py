"""The least information loss anyone could reach who knew the whole stream beforehand."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


@dataclass
class _Programme:
    """Columns and rows of an integer programme in the making."""

    costs: list[float] = field(default_factory=list)
    upper: list[float] = field(default_factory=list)
    row: list[int] = field(default_factory=list)
    column: list[int] = field(default_factory=list)
    factor: list[float] = field(default_factory=list)
    limits: list[tuple[float, float]] = field(default_factory=list)

    def add_column(self, cost: float, upper: float) -> int:
        self.costs.append(cost)
        self.upper.append(upper)
        return len(self.costs) - 1

    def add_row(self, low: float, high: float, entries: list[tuple[int, float]]) -> None:
        for column, factor in entries:
            self.row.append(len(self.limits))
            self.column.append(column)
            self.factor.append(factor)
        self.limits.append((low, high))


def clairvoyant_loss(
    counts: Integers,
    l: Fraction,  # noqa: E741
    mu: list[float],
    beta: float,
    seconds: float = 20.0,
) -> tuple[float, float]:
    """Return the proven lower bound of the loss and the loss found; moves reach len(mu) - 1."""
    programme = _Programme()
    total = int(counts.sum())
    reach = len(mu)
    arriving: dict[tuple[int, int], list[tuple[int, float]]] = {}
    for (home, value), records in np.ndenumerate(counts):
        if not records:
            continue
        leaving = []
        for slot in range(home, min(home + reach, len(counts))):
            moved = programme.add_column(mu[slot - home] - beta, float(records))
            leaving.append((moved, 1.0))
            arriving.setdefault((slot, value), []).append((moved, float(l)))
        programme.add_row(-np.inf, float(records), leaving)
    for slot in range(len(counts)):
        size = programme.add_column(0.0, float(total))
        here = [arriving.get((slot, value), []) for value in range(counts.shape[1])]
        everyone = [(column, 1.0) for entries in here for column, _ in entries]
        programme.add_row(0.0, 0.0, [(size, -1.0), *everyone])
        for entries in here:
            if entries:
                programme.add_row(-np.inf, 0.0, [*entries, (size, -1.0)])
    low, found = _solve(programme, seconds)
    return beta * total + low, beta * total + found


def _solve(programme: _Programme, seconds: float) -> tuple[float, float]:
    import highspy

    order = np.lexsort((programme.row, programme.column))
    columns = np.asarray(programme.column)[order]
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(programme.costs), len(programme.limits)
    model.col_cost_ = np.asarray(programme.costs)
    model.col_lower_ = np.zeros(len(programme.costs))
    model.col_upper_ = np.asarray(programme.upper)
    model.row_lower_ = np.asarray([low for low, _ in programme.limits])
    model.row_upper_ = np.asarray([high for _, high in programme.limits])
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = np.searchsorted(columns, np.arange(len(programme.costs) + 1))
    model.a_matrix_.index_ = np.asarray(programme.row)[order]
    model.a_matrix_.value_ = np.asarray(programme.factor)[order]
    model.integrality_ = [highspy.HighsVarType.kInteger] * len(programme.costs)
    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("time_limit", seconds)
    solver.setOptionValue("threads", 1)
    solver.passModel(model)
    solver.run()
    info = solver.getInfo()
    return info.mip_dual_bound, info.objective_function_value
