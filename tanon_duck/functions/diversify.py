"""Perturbed sensitive values of a whole release at once."""

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from duckdb.func import SPECIAL

from tanon_duck.algorithms import diversify as perturbation
from tanon_duck.algorithms.diversify import Numbers, Request
from tanon_duck.errors import TanonError
from tanon_duck.functions import arrow_function

Texts = list[str | None]
FINEST_DECIMALS = 9
FURTHEST_STEPS = 2**61


def _numbers(column: pa.ChunkedArray) -> tuple[npt.NDArray[np.generic], npt.NDArray[np.bool_]]:
    """Return the only list of a column as numbers, zero where NULL, and where it is NULL."""
    values = column.combine_chunks().flatten()
    missing = np.asarray(values.is_null())
    return np.asarray(values.fill_null(0)), missing


def _decimals(values: npt.NDArray[np.float64]) -> int | None:
    """Return how many decimals all values have, None if they are not round numbers."""
    for decimals in range(FINEST_DECIMALS + 1):
        if (np.round(values, decimals) == values).all():
            largest = np.abs(values).max(initial=0.0) * 10.0**decimals
            return decimals if largest < 2.0**52 else None
    return None


def _on_own_grid(request: Request) -> tuple[Request, int] | None:
    """Turn floats into whole steps of the decimals they are written with."""
    values = request.values.astype(np.float64)
    decimals = _decimals(values)
    if decimals is None:
        return None
    reach = request.reach * 10.0**decimals * (1 + 1e-12)
    steps = np.rint(values * 10.0**decimals).astype(np.int64)
    moved = {"values": steps, "reach": reach, "unit": 10.0**-decimals}
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
        *("BIGINT[]", "BIGINT[]", "DOUBLE[]", "UBIGINT[]"),
        *("INTEGER", "BIGINT", "DOUBLE", "BIGINT", "VARCHAR", "VARCHAR"),
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
    scale: pa.ChunkedArray,
    l: pa.ChunkedArray,  # noqa: E741 (the argument of the SQL function)
    epsilon: pa.ChunkedArray,
    seed: pa.ChunkedArray,
    mode: pa.ChunkedArray,
    avoid: pa.ChunkedArray,
) -> pa.Array:
    """Take one list for each column of a release; steps of 10 ** -scale, or floats if no scale."""
    if classes[0].as_py() is None:
        return pa.array([[]], pa.list_(pa.string()))
    places = scale[0].as_py()
    given, missing = _numbers(floats if places is None else steps)
    values: Numbers = given.astype(np.float64)
    if places is not None:
        values = given.astype(np.int64)
    reach = epsilon[0].as_py() * 10.0 ** (places or 0)
    request = Request(
        classes=_numbers(classes)[0].astype(np.int64),
        values=values,
        keys=_numbers(keys)[0].astype(np.uint64),
        diversity=l[0].as_py(),
        reach=reach if places is None else min(reach * (1 + 1e-12), FURTHEST_STEPS),
        seed=seed[0].as_py(),
        every_value=mode[0].as_py() == "jitter",
        avoid_column=avoid[0].as_py() == "column",
        missing=missing,
        unit=10.0 ** -(places or 0),
    )
    try:
        return pa.array([_perturbed(request, places or 0)], pa.list_(pa.string()))
    except ValueError as error:
        raise TanonError(f"tanon.diversify: {error}") from None
