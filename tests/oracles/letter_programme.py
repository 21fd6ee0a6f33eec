"""The linear programme over (mean, deviation) of one published row, solved by HiGHS."""

from statistics import NormalDist

import highspy
import numpy as np


def _minimum(costs, rows, lows, highs):
    """Return (status, minimum) of costs . (mean, deviation) with deviation >= 0."""
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("presolve", "off")
    solver.addVars(2, np.array([-highspy.kHighsInf, 0.0]), np.full(2, highspy.kHighsInf))
    for column, cost in enumerate(costs):
        solver.changeColCost(column, float(cost))
    for row, low, high in zip(rows, lows, highs, strict=True):
        solver.addRow(float(low), float(high), 2, np.array([0, 1]), np.array(row, dtype=float))
    solver.run()
    status = solver.getModelStatus()
    if status == highspy.HighsModelStatus.kOptimal:
        return "optimal", solver.getInfo().objective_function_value
    if status == highspy.HighsModelStatus.kInfeasible:
        return "infeasible", None
    return "unbounded", -np.inf


def bounds(low, high, letters, level, letter):
    """Return the range of the values that have this letter, None where word and ranges clash.

    low and high hold None where withheld, letters None where withheld.
    """
    points = len(low)
    breaks = [NormalDist().inv_cdf(j / level) for j in range(1, level)]
    shown = [
        (low[i], high[i], letters[i])
        for i in range(points)
        if low[i] is not None and letters[i] is not None
    ]
    rows, lows, highs = [], [], []
    for range_low, range_high, own in shown:
        if own < level - 1:
            rows.append((1.0, breaks[own]))
            lows.append(range_low)
            highs.append(highspy.kHighsInf)
        if own > 0:
            rows.append((1.0, breaks[own - 1]))
            lows.append(-highspy.kHighsInf)
            highs.append(range_high)
    furthest = (points - 1) / points**0.5
    down = breaks[letter - 1] if letter > 0 else -furthest
    up = breaks[letter] if letter < level - 1 else furthest
    status, least = _minimum((1.0, down), rows, lows, highs)
    if status == "infeasible":
        return None
    status, most = _minimum((-1.0, -up), rows, lows, highs)
    return (least, -most)
