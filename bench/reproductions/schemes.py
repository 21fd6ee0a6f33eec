"""The anonymization schemes compared with one another, each brought to the same form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bench._data import Floats, Integers
from bench.baselines import bfp2ka, tga
from bench.reproductions.workload import Published
from tanon_duck.algorithms.estimate import Release
from tanon_duck.algorithms.kp.release import kp_release
from tanon_duck.algorithms.sax import letters, reconstruct, value_loss, z_normalize

MAX_LEVEL = 10
STRING_LEVEL = 20


@dataclass(frozen=True)
class Tagged:
    """A (k,P) release and the source row of each of its rows."""

    row: Integers
    release: Release

    def published(self) -> Published:
        """The same with letters turned into shapes."""
        shape = reconstruct(self.release.letters, self.release.levels)
        return Published(self.row, self.release.low, self.release.high, shape)


def kp_release_of(series: Floats, k: int, p: int, algorithm: str, literal: bool = False) -> Tagged:
    """A (k,P) release; literally as in the paper, or as the functions do it by default."""
    split = "sequential" if literal else "halves"
    made = kp_release(series, k, p, algorithm, MAX_LEVEL, split, foreign_words=literal)
    row = np.flatnonzero(made.k_group >= 0)
    group = made.k_group[row]
    return Tagged(
        row, Release(made.low[group], made.high[group], made.letters[row], made.level[row])
    )


def kapra_release(series: Floats, k: int, p: int) -> Tagged:
    """KAPRA: every series keeps its own word at the level of its P-subgroup."""
    return kp_release_of(series, k, p, "kapra")


def tga_series(series: Floats, k: int, p: int) -> Published:
    """TGA publishes perturbed points instead of ranges; its groups have k members."""
    shown = tga.anonymize(series, k).published
    row = np.flatnonzero(~np.isnan(shown[:, 0]))
    return Published(row, shown[row], shown[row], shown[row])


def bfp2ka_series(series: Floats, k: int, p: int) -> Published:
    """BF-P2kA publishes paths of the pruned prefix tree; what is cut off may be anything."""
    steps = STRING_LEVEL - 1
    codes = np.rint(series * steps).astype(np.int64)
    paths = bfp2ka.anonymize([tuple(line) for line in codes.tolist()], k)
    shown = [(row, path) for row, path in enumerate(paths) if path]
    low, high = np.zeros((len(shown), series.shape[1])), np.ones((len(shown), series.shape[1]))
    shape = np.zeros_like(low)
    for place, (_, path) in enumerate(shown):
        values = np.asarray(path, dtype=np.float64) / steps
        known = slice(0, values.size)
        low[place, known] = high[place, known] = shape[place, known] = values
        shape[place, values.size :] = values.mean()
    return Published(np.asarray([row for row, _ in shown], dtype=np.int64), low, high, shape)


def as_letters(series: Floats) -> Floats:
    """Numeric series as letters at the level of the paper, numbered within [0, 1]."""
    codes: Floats = letters(series, STRING_LEVEL).astype(np.float64) / (STRING_LEVEL - 1)
    return codes


def _by(algorithm: str, literal: bool) -> Callable[[Floats, int, int], Published]:
    return lambda series, k, p: kp_release_of(series, k, p, algorithm, literal).published()


# Naive and KAPRA as the paper has them, the same as built here, and what goes beyond.
SCHEMES: dict[str, Callable[[Floats, int, int], Published]] = {
    "Naive": _by("naive", literal=True),
    "KAPRA": _by("kapra", literal=True),
    "Naive (ours)": _by("naive", literal=False),
    "KAPRA (ours)": _by("kapra", literal=False),
    "KAPRA refined": _by("kapra_refined", literal=False),
    "shared": _by("shared", literal=False),
    "TGA": tga_series,
    "BFP2KA": bfp2ka_series,
}


def publish(name: str, series: Floats, k: int, p: int) -> Published:
    """Publish the series by the scheme of that name."""
    return SCHEMES[name](series, k, p)


def mean_losses(series: Floats, published: Published) -> tuple[float | None, float | None]:
    """Value loss (None: points are published, not ranges) and pattern loss per published series."""
    if not published.row.size:
        return None, None
    own, seen = z_normalize(series[published.row]), published.normalized
    cosine = (own * seen).sum(axis=1) / (series.shape[1] - 1)
    cosine[~own.any(axis=1) & ~seen.any(axis=1)] = 1.0
    ranges = bool((published.high > published.low).any())
    lost = float(value_loss(published.low, published.high).mean()) if ranges else None
    return lost, float((1 - cosine).mean())
