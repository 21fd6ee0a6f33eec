"""Releases of the same series with several settings, measured."""

from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.kp.release import ALGORITHMS
from tanon_duck.algorithms.tuning import Setting, reason_against, try_setting
from tanon_duck.algorithms.workload import Plan
from tanon_duck.errors import TanonError, must_be
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._arrow import arrow_type
from tanon_duck.udfs._series_arrays import matrix

OUTCOMES = (
    "STRUCT(algorithm VARCHAR, k INTEGER, p INTEGER, reason VARCHAR, records BIGINT, "
    "suppressed BIGINT, value_loss DOUBLE, pattern_loss DOUBLE, worst_breach DOUBLE, "
    "precision DOUBLE, recall DOUBLE, range_error DOUBLE, complex_error DOUBLE, "
    "seconds DOUBLE)[]"
)


def _checked(algorithms: list[str]) -> list[str]:
    """Return the algorithms, all of which must exist."""
    for name in algorithms:
        if name not in ALGORITHMS:
            allowed = f"of {', '.join(ALGORITHMS)}"
            raise TanonError(must_be("tune_series", "algorithms", allowed, name))
    return algorithms


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
    """Try every combination; secrets are numbers for sensitive values, NULL if there are none."""
    original = matrix(series, 0)
    codes = secrets[0].as_py()
    plan = Plan(queries[0].as_py(), tolerance[0].as_py(), 0.05, seed[0].as_py())
    choices = (_checked(algorithms[0].as_py()), sorted(k[0].as_py()), sorted(p[0].as_py()))
    rows: list[dict[str, Any]] = []
    for algorithm, one_k, one_p in product(*choices):
        setting = Setting(algorithm, one_k, one_p, scale[0].as_py())
        row: dict[str, Any] = {"algorithm": algorithm, "k": one_k, "p": one_p}
        row["reason"] = reason_against(setting, original.shape[0])
        if not row["reason"]:
            numbers = None if codes is None else np.asarray(codes, dtype=np.int64)
            outcome = try_setting(original, numbers, setting, plan)
            row |= {name: None if x != x else x for name, x in vars(outcome).items()}
        rows.append(row)
    return pa.array([rows], arrow_type(OUTCOMES))
