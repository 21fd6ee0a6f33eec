"""Random numbers that depend on what they are for, never on row order or thread count."""

import numpy as np
import numpy.typing as npt

Hashes = npt.NDArray[np.uint64]

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def _as_bits(part: npt.ArrayLike) -> Hashes:
    """Read whole numbers or floats as 64 bits; minus zero counts as zero."""
    array = np.asarray(part)
    if array.dtype.kind == "f":
        return (array.astype(np.float64) + 0.0).view(np.uint64)
    if array.dtype.kind == "u":
        return array.astype(np.uint64)
    return array.astype(np.int64).view(np.uint64)


def _scrambled(bits: Hashes) -> Hashes:
    """Scramble 64 bits (the finalizer of splitmix64)."""
    bits = (bits ^ (bits >> np.uint64(30))) * _FIRST
    bits = (bits ^ (bits >> np.uint64(27))) * _SECOND
    return bits ^ (bits >> np.uint64(31))


def hashes(*parts: npt.ArrayLike) -> Hashes:
    """Hash parts that broadcast against each other; their order counts."""
    mixed: Hashes = np.atleast_1d(np.uint64(len(parts)))
    with np.errstate(over="ignore"):
        for part in parts:
            mixed = _scrambled((mixed + _STEP) ^ _scrambled(_as_bits(part) + _STEP))
    return mixed


def uniforms(*parts: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Hash parts to numbers spread evenly over [0, 1)."""
    return (hashes(*parts) >> np.uint64(11)).astype(np.float64) * 2.0**-53
