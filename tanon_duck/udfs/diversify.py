"""Perturbed sensitive values of a whole release at once."""

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms import diversify as perturbation
from tanon_duck.algorithms.diversify import Numbers, Request
from tanon_duck.errors import TanonError, must_be
from tanon_duck.udfs import arrow_function

Texts = list[str | None]
FINEST_DECIMALS = 9
FURTHEST_STEPS = 2**61
BITS = {"TINYINT": 8, "SMALLINT": 16, "INTEGER": 32, "BIGINT": 64, "HUGEINT": 128}
LARGEST_FLOAT = {
    "FLOAT": float(np.finfo(np.float32).max),
    "DOUBLE": perturbation.LARGEST_DOUBLE,
}


def _numbers(column: pa.ChunkedArray) -> tuple[npt.NDArray[np.generic], npt.NDArray[np.bool_]]:
    """Return the only list of a column as numbers, zero where NULL, and where it is NULL."""
    values = column.combine_chunks().flatten()
    missing = np.asarray(values.is_null())
    return np.asarray(values.fill_null(0)), missing


def _check(wrong: npt.NDArray[np.bool_], allowed: str) -> None:
    """Refuse numbers that cannot be moved."""
    if wrong.any():
        raise TanonError(
            must_be("publish_perturbed_series", "sensitive", allowed, f"{wrong.sum()} that are not")
        )


def _column(
    floats: pa.ChunkedArray, steps: pa.ChunkedArray, kind: str
) -> tuple[Numbers, npt.NDArray[np.bool_]]:
    """Return the column as floats or, if its type is exact, in whole steps; and its NULLs."""
    numbers, missing = _numbers(floats)
    values = numbers.astype(np.float64)
    _check(~np.isfinite(values), "free of NaN and infinity")
    if kind in LARGEST_FLOAT:
        return values, missing
    whole, unread = _numbers(steps)
    exact = whole.astype(np.int64)
    far = (exact > FURTHEST_STEPS) | (exact < -FURTHEST_STEPS)
    _check(far | unread & ~missing, "numbers of at most 18 digits")
    return exact, missing


def _scale_and_limits(kind: str) -> tuple[int, tuple[float, float]]:
    """Return how many decimals a type has, and its smallest and largest value in such steps."""
    if kind in LARGEST_FLOAT:
        return 0, (-LARGEST_FLOAT[kind], LARGEST_FLOAT[kind])
    if kind.startswith("DECIMAL"):
        width, scale = map(int, kind[8:-1].split(","))
        return scale, (1 - 10**width, 10**width - 1)
    values = 2 ** BITS[kind.removeprefix("U")]
    return 0, (0, values - 1) if kind.startswith("U") else (-values // 2, values // 2 - 1)


def _decimals(request: Request) -> int | None:
    """Return how many decimals all values have, None if they are not round numbers.

    None also where the type of the column does not tell numbers with so many decimals apart.
    """
    values = request.values
    bits, reach = (23, request.reach) if request.is_single else (52, 0.0)
    for decimals in range(FINEST_DECIMALS + 1):
        if (np.round(values, decimals) == values).all():
            largest = (np.abs(values).max(initial=0.0) + reach) * 10.0**decimals
            return decimals if largest < 2.0**bits else None
    return None


def _on_own_grid(request: Request) -> tuple[Request, int] | None:
    """Turn floats into whole steps of the decimals they are written with."""
    values = request.values.astype(np.float64)
    decimals = _decimals(request)
    if decimals is None:
        return None
    reach = request.reach * 10.0**decimals * (1 + 1e-12)
    steps = np.rint(values * 10.0**decimals).astype(np.int64)
    limits = tuple(bound * 10.0**decimals for bound in request.limits)
    moved = {"values": steps, "reach": reach, "unit": 10.0**-decimals, "limits": limits}
    return Request(**{**vars(request), **moved}), decimals


def _texts(published: npt.NDArray[np.generic], changed: npt.NDArray[np.bool_], scale: int) -> Texts:
    """Write the changed values as SQL reads them, the others as NULL."""
    texts: Texts = [None] * changed.size
    for row in np.flatnonzero(changed).tolist():
        value = published[row].item()
        texts[row] = repr(value) if isinstance(value, float) else _decimal(value, scale)
    return texts


def _decimal(steps: int, scale: int) -> str:
    """Write a whole number of steps of 10 ** -scale."""
    digits = f"{abs(steps):0{scale + 1}d}"
    whole, part = digits[: len(digits) - scale], digits[len(digits) - scale :]
    return f"{'-' if steps < 0 else ''}{whole}{'.' if scale else ''}{part}"


def _perturbed(request: Request, scale: int) -> Texts:
    """Perturb whole steps, or floats: those that are all to move on the grid they lie on."""
    if request.values.dtype.kind == "f" and request.every_value:
        on_grid = _on_own_grid(request)
        if on_grid is not None:
            request, scale = on_grid
    published, changed = perturbation.diversify(request)
    return _texts(published, changed, scale)


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
    """Take one list for each column of a release: the sensitive one in steps and as floats."""
    if classes[0].as_py() is None:
        return pa.array([[]], pa.list_(pa.string()))
    values, missing = _column(floats, steps, kind[0].as_py())
    scale, limits = _scale_and_limits(kind[0].as_py())
    reach = min(epsilon[0].as_py() * 10.0**scale, limits[1] - limits[0])
    request = Request(
        classes=_numbers(classes)[0].astype(np.int64),
        values=values,
        keys=np.array(keys[0].as_py(), dtype=np.bytes_),
        diversity=l[0].as_py(),
        reach=reach if values.dtype.kind == "f" else min(reach * (1 + 1e-12), FURTHEST_STEPS),
        every_value=mode[0].as_py() == "jitter",
        avoid_column=avoid[0].as_py() == "column",
        missing=missing,
        unit=10.0**-scale,
        limits=limits,
        is_single=kind[0].as_py() == "FLOAT",
    )
    try:
        return pa.array([_perturbed(request, scale)], pa.list_(pa.string()))
    except ValueError as error:
        raise TanonError(f"tanon.publish_perturbed_series: {error}") from None
