"""Loss, breach and query errors of (k,P)-anonymous releases with several settings."""

from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.kp.release import ALGORITHMS
from tanon_duck.algorithms.tuning import Setting, reason_not_to_try, try_setting
from tanon_duck.algorithms.workload import Plan
from tanon_duck.errors import TanonError, must_be
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._arrow import arrow_type
from tanon_duck.udfs._series_arrays import read_matrix

# The share of all series that a range query should select: one in twenty.
SELECTIVITY = 0.05
OUTCOMES = (
    "STRUCT(algorithm VARCHAR, k INTEGER, p INTEGER, reason VARCHAR, records BIGINT, "
    "suppressed BIGINT, value_loss DOUBLE, pattern_loss DOUBLE, worst_breach DOUBLE, "
    "precision DOUBLE, recall DOUBLE, range_error DOUBLE, complex_error DOUBLE, "
    "seconds DOUBLE)[]"
)


def _require_algorithms(names: list[str]) -> list[str]:
    """Return the names, or raise TanonError if one is not the name of an algorithm."""
    for name in names:
        if name not in ALGORITHMS:
            allowed = f"of {', '.join(ALGORITHMS)}"
            raise TanonError(must_be("tune_series", "algorithms", allowed, name))
    return names


@arrow_function(
    parameters=[
        *("DOUBLE[][]", "BIGINT[]", "INTEGER[]", "INTEGER[]", "VARCHAR[]"),
        *("BIGINT", "DOUBLE", "BIGINT", "VARCHAR"),
    ],
    returns=OUTCOMES,
    null_handling=SPECIAL,
    side_effects=False,
)
def try_settings(
    series: pa.ChunkedArray,
    secrets: pa.ChunkedArray,
    k: pa.ChunkedArray,
    p: pa.ChunkedArray,
    algorithms: pa.ChunkedArray,
    queries: pa.ChunkedArray,
    tolerance: pa.ChunkedArray,
    seed: pa.ChunkedArray,
    scale: pa.ChunkedArray,
) -> pa.Array:
    """Return one outcome for each combination of algorithm, k and P.

    Every argument has one row. ``series`` lists the series, ``secrets`` a number for the sensitive
    value of each, or is NULL. A combination that is not possible has a ``reason`` and no measures.
    """
    original = read_matrix(series, 0)
    secret_list = secrets[0].as_py()
    secret_numbers = None if secret_list is None else np.asarray(secret_list, dtype=np.int64)
    plan = Plan(queries[0].as_py(), tolerance[0].as_py(), SELECTIVITY, seed[0].as_py())
    names = _require_algorithms(algorithms[0].as_py())
    outcomes: list[dict[str, Any]] = []
    for algorithm, one_k, one_p in product(names, sorted(k[0].as_py()), sorted(p[0].as_py())):
        setting = Setting(algorithm, one_k, one_p, scale[0].as_py())
        row: dict[str, Any] = {"algorithm": algorithm, "k": one_k, "p": one_p}
        row["reason"] = reason_not_to_try(setting, original.shape[0])
        if not row["reason"]:
            outcome = try_setting(original, secret_numbers, setting, plan)
            row |= {name: None if x != x else x for name, x in vars(outcome).items()}
        outcomes.append(row)
    return pa.array([outcomes], arrow_type(OUTCOMES))
