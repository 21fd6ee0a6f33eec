"""New sensitive values for a release, near the true ones, so that every class is l-diverse.

Columns of exact types (integers, DECIMAL) are perturbed as whole steps: a step of DECIMAL(10, 2)
is 0.01. Columns of FLOAT and DOUBLE are perturbed as floats, or as whole steps of their last
decimal if all values have few decimals.
"""

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms import diversify as perturbation
from tanon_duck.algorithms.class_counts import LARGEST_DOUBLE, Numbers, Request
from tanon_duck.errors import TanonError, must_be
from tanon_duck.udfs import arrow_function

Texts = list[str | None]
# Floats with more decimals than this are perturbed as floats.
MAX_DECIMALS = 9
# Values and distances in steps stay below this, so that their sums fit in 64 bits.
MAX_STEPS = 2**61
# Rounding may put the last allowed step just beyond epsilon: 0.3 / 0.1 is below 3.
ROUNDING = 1 + 1e-12
FLOAT_BITS, DOUBLE_BITS = 23, 52  # of the mantissa
BITS = {"TINYINT": 8, "SMALLINT": 16, "INTEGER": 32, "BIGINT": 64, "HUGEINT": 128}
LARGEST_FLOAT = {
    "FLOAT": float(np.finfo(np.float32).max),
    "DOUBLE": LARGEST_DOUBLE,
}


def _numbers(column: pa.ChunkedArray) -> tuple[npt.NDArray[np.generic], npt.NDArray[np.bool_]]:
    """Return the list in the first row of a column, 0 where NULL, and where it is NULL."""
    values = column.combine_chunks().flatten()
    missing = np.asarray(values.is_null())
    return np.asarray(values.fill_null(0)), missing


def _refuse(wrong: npt.NDArray[np.bool_], allowed: str) -> None:
    """Raise TanonError if a sensitive value is marked as wrong; ``allowed`` says the rule."""
    if wrong.any():
        raise TanonError(
            must_be("publish_perturbed_series", "sensitive", allowed, f"{wrong.sum()} that are not")
        )


def _sensitive_values(
    floats: pa.ChunkedArray, steps: pa.ChunkedArray, sql_type: str
) -> tuple[Numbers, npt.NDArray[np.bool_]]:
    """Return the sensitive values, and where they are NULL.

    They are floats if the type of the column is FLOAT or DOUBLE, otherwise whole steps.
    """
    numbers, missing = _numbers(floats)
    float_values = numbers.astype(np.float64)
    _refuse(~np.isfinite(float_values), "free of NaN and infinity")
    if sql_type in LARGEST_FLOAT:
        return float_values, missing
    numbers, without_steps = _numbers(steps)
    step_values = numbers.astype(np.int64)
    too_large = (step_values > MAX_STEPS) | (step_values < -MAX_STEPS)
    # SQL passes NULL for a number whose steps do not fit in 64 bits.
    _refuse(too_large | without_steps & ~missing, "numbers of at most 18 digits")
    return step_values, missing


def _scale_and_limits(sql_type: str) -> tuple[int, tuple[float, float]]:
    """Return the number of decimals of a type, and its smallest and largest value in steps.

    For example ``DECIMAL(4,2)`` has 2 decimals, and values from -9999 to 9999 steps of 0.01.
    """
    if sql_type in LARGEST_FLOAT:
        return 0, (-LARGEST_FLOAT[sql_type], LARGEST_FLOAT[sql_type])
    if sql_type.startswith("DECIMAL"):
        width, scale = map(int, sql_type[8:-1].split(","))
        return scale, (1 - 10**width, 10**width - 1)
    n_values = 2 ** BITS[sql_type.removeprefix("U")]
    if sql_type.startswith("U"):
        return 0, (0, n_values - 1)
    return 0, (-n_values // 2, n_values // 2 - 1)


def _common_decimals(request: Request) -> int | None:
    """Return how many decimals all values have, for example 2 for 1.5 and 2.25.

    Return None if a value has more than MAX_DECIMALS, or if the column's type cannot distinguish
    all numbers with that many decimals.
    """
    values = request.values
    bits, reach = (FLOAT_BITS, request.reach) if request.is_single else (DOUBLE_BITS, 0.0)
    for decimals in range(MAX_DECIMALS + 1):
        if (np.round(values, decimals) == values).all():
            largest = (np.abs(values).max(initial=0.0) + reach) * 10.0**decimals
            return decimals if largest < 2.0**bits else None
    return None


def _in_steps(request: Request) -> tuple[Request, int] | None:
    """Return the request with floats as whole steps of their last decimal, and its decimals.

    Return None if the values have too many decimals.
    """
    values = request.values.astype(np.float64)
    decimals = _common_decimals(request)
    if decimals is None:
        return None
    changes = {
        "values": np.rint(values * 10.0**decimals).astype(np.int64),
        "reach": request.reach * 10.0**decimals * ROUNDING,
        "unit": 10.0**-decimals,
        "limits": tuple(bound * 10.0**decimals for bound in request.limits),
    }
    return Request(**{**vars(request), **changes}), decimals


def _changed_texts(
    published: npt.NDArray[np.generic], changed: npt.NDArray[np.bool_], scale: int
) -> Texts:
    """Return the changed values as texts that SQL can cast, and None for the others."""
    texts: Texts = [None] * changed.size
    for row in np.flatnonzero(changed).tolist():
        value = published[row].item()
        texts[row] = repr(value) if isinstance(value, float) else _decimal_text(value, scale)
    return texts


def _decimal_text(steps: int, scale: int) -> str:
    """Return a number of steps of 10 ** -scale as text: 12345 steps at scale 2 are '123.45'."""
    digits = f"{abs(steps):0{scale + 1}d}"
    integer_part, decimals = digits[: len(digits) - scale], digits[len(digits) - scale :]
    return f"{'-' if steps < 0 else ''}{integer_part}{'.' if scale else ''}{decimals}"


def _perturbed_texts(request: Request, scale: int) -> Texts:
    """Return the new values as texts, and None for values that do not change.

    If every float of a class moves, they move in steps of their last decimal. More decimals than
    in other classes would show which classes have changed.
    """
    if request.values.dtype.kind == "f" and request.every_value:
        in_steps = _in_steps(request)
        if in_steps is not None:
            request, scale = in_steps
    published, changed = perturbation.diversify(request)
    return _changed_texts(published, changed, scale)


@arrow_function(
    parameters=[
        *("BIGINT[]", "BIGINT[]", "DOUBLE[]", "VARCHAR[]"),
        *("VARCHAR", "BIGINT", "DOUBLE", "VARCHAR", "VARCHAR"),
    ],
    returns="VARCHAR[]",
    null_handling=SPECIAL,
    side_effects=False,
)
def diversify(
    classes: pa.ChunkedArray,
    steps: pa.ChunkedArray,
    floats: pa.ChunkedArray,
    keys: pa.ChunkedArray,
    kind: pa.ChunkedArray,
    l: pa.ChunkedArray,  # noqa: E741 (the argument of the SQL function)
    epsilon: pa.ChunkedArray,
    mode: pa.ChunkedArray,
    avoid: pa.ChunkedArray,
) -> pa.Array:
    """Return for each row of a release its new sensitive value as text, NULL if unchanged.

    Every argument has one row. ``classes`` and ``keys`` list the class and the random key of each
    row of the release. ``steps`` and ``floats`` list its sensitive value, whose SQL type is
    ``kind``, in whole steps and as a float.
    """
    if classes[0].as_py() is None:
        return pa.array([[]], pa.list_(pa.string()))
    sql_type = kind[0].as_py()
    values, missing = _sensitive_values(floats, steps, sql_type)
    scale, limits = _scale_and_limits(sql_type)
    reach = min(epsilon[0].as_py() * 10.0**scale, limits[1] - limits[0])
    request = Request(
        classes=_numbers(classes)[0].astype(np.int64),
        values=values,
        keys=np.array(keys[0].as_py(), dtype=np.bytes_),
        diversity=l[0].as_py(),
        reach=reach if values.dtype.kind == "f" else min(reach * ROUNDING, MAX_STEPS),
        every_value=mode[0].as_py() == "jitter",
        avoid_column=avoid[0].as_py() == "column",
        missing=missing,
        unit=10.0**-scale,
        limits=limits,
        is_single=sql_type == "FLOAT",
    )
    try:
        return pa.array([_perturbed_texts(request, scale)], pa.list_(pa.string()))
    except ValueError as error:
        raise TanonError(f"tanon.publish_perturbed_series: {error}") from None
