"""How many are unique in the population that a sample was drawn from."""

from math import isfinite

import numpy as np
import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.uniqueness import Sample, estimates, taken_by
from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._arrow import arrow_type

ESTIMATES = "STRUCT(method VARCHAR, uniques DOUBLE, taken BOOLEAN)[]"


@arrow_function(
    parameters=["DOUBLE[]", "DOUBLE[]", "DOUBLE"],
    returns=ESTIMATES,
    null_handling=SPECIAL,
    side_effects=False,
)
def estimate_uniques(
    sizes: pa.ChunkedArray, groups: pa.ChunkedArray, fraction: pa.ChunkedArray
) -> pa.Array:
    """Take the sizes of groups, how many have each, and the share of the population drawn."""
    known = np.array(sizes[0].as_py() or [], dtype=np.float64)
    counts = np.array(groups[0].as_py() or [], dtype=np.float64)
    population = float(known @ counts) / (fraction[0].as_py() or 1.0)
    sample = Sample(known, counts, population)
    found = estimates(sample)
    by_rule = taken_by(sample, found)
    answer = [
        {
            "method": method,
            "uniques": value if isfinite(value) else None,
            "taken": method == by_rule,
        }
        for method, value in {**found, "dankar": found.get(by_rule, float("nan"))}.items()
    ]
    return pa.array([answer], arrow_type(ESTIMATES))
