"""Reproducible random numbers: hashes of the numbers that identify their purpose.

``uniforms(seed, query, column)`` always gives the same number for the same three numbers. So a
draw depends neither on the order of rows nor on the number of threads. These hashes are not
cryptographic: do not use them if an adversary must not predict a draw.
"""

import numpy as np
import numpy.typing as npt

Hashes = npt.NDArray[np.uint64]

# The constants of splitmix64 (Steele, Lea and Flood 2014).
_INCREMENT = np.uint64(0x9E3779B97F4A7C15)
_FIRST_FACTOR, _SECOND_FACTOR = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def _as_bits(part: npt.ArrayLike) -> Hashes:
    """Return integers or floats as 64 bits each; adding 0.0 turns -0.0 into 0.0."""
    array = np.asarray(part)
    if array.dtype.kind == "f":
        return (array.astype(np.float64) + 0.0).view(np.uint64)
    if array.dtype.kind == "u":
        return array.astype(np.uint64)
    return array.astype(np.int64).view(np.uint64)


def _scrambled(bits: Hashes) -> Hashes:
    """Return 64 bits scrambled by the finalizer of splitmix64."""
    bits = (bits ^ (bits >> np.uint64(30))) * _FIRST_FACTOR
    bits = (bits ^ (bits >> np.uint64(27))) * _SECOND_FACTOR
    return bits ^ (bits >> np.uint64(31))


def hashes(*parts: npt.ArrayLike) -> Hashes:
    """Return a 64-bit hash of the parts, in this order.

    Parts may be arrays, which broadcast: ``hashes(7, np.arange(3))`` returns three hashes.
    """
    mixed: Hashes = np.atleast_1d(np.uint64(len(parts)))
    with np.errstate(over="ignore"):
        for part in parts:
            mixed = _scrambled((mixed + _INCREMENT) ^ _scrambled(_as_bits(part) + _INCREMENT))
    return mixed


def uniforms(*parts: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return ``hashes(*parts)`` as random numbers that are uniform in [0, 1)."""
    return (hashes(*parts) >> np.uint64(11)).astype(np.float64) * 2.0**-53
