"""Estimates of how many people are unique in the population from which a sample was drawn."""

from math import isfinite

import numpy as np
import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms.uniqueness import Sample, estimate_uniques_by_model, recommended_model
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
    """Return the estimate of each model, and that of Dankar's rule, which chooses a model.

    ``sizes`` lists the sizes of groups in the sample, ``groups`` the number of groups of each
    size. ``fraction`` is the share of the population that the sample contains.
    """
    group_sizes = np.array(sizes[0].as_py() or [], dtype=np.float64)
    group_counts = np.array(groups[0].as_py() or [], dtype=np.float64)
    population = float(group_sizes @ group_counts) / (fraction[0].as_py() or 1.0)
    sample = Sample(group_sizes, group_counts, population)
    uniques = estimate_uniques_by_model(sample)
    recommended = recommended_model(sample, uniques)
    answer = [
        {
            "method": method,
            "uniques": value if isfinite(value) else None,
            "taken": method == recommended,
        }
        for method, value in {**uniques, "dankar": uniques.get(recommended, float("nan"))}.items()
    ]
    return pa.array([answer], arrow_type(ESTIMATES))
