"""SAX letters of many series at once, the series a word stands for, and what a release loses."""

from functools import cache
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from tanon_duck.algorithms.checkpoint import check

Floats = npt.NDArray[np.float64]
Letters = npt.NDArray[np.uint8]
Integers = npt.NDArray[np.int64]

LOWEST_LEVEL, HIGHEST_LEVEL = 1, 26
# Only the break point 0 can be hit exactly; there the rounding of the mean must not decide.
TOLERANCE = 1e-12
BLOCK_VALUES = 1 << 16
SHORT_SERIES = 24


@cache
def _quantiles(level: int, halves: int) -> tuple[float, ...]:
    """Normal quantiles at (2j + halves) / (2 level), symmetric to the bit."""
    normal = NormalDist()
    shares = [2 * j + halves for j in range(level) if 0 < 2 * j + halves < 2 * level]
    upper = {s: -normal.inv_cdf((2 * level - s) / (2 * level)) for s in shares if s > level}
    lower = {2 * level - s: -value for s, value in upper.items()}
    return tuple({**lower, level: 0.0, **upper}[s] for s in shares)


def break_points(level: int) -> Floats:
    """Return the level - 1 values that separate the letters of a level."""
    return np.array(_quantiles(level, 0)[: level - 1], dtype=np.float64)


def letter_values(level: int) -> Floats:
    """Return for each letter of a level the normalized value that stands for it."""
    return np.array(_quantiles(level, 1), dtype=np.float64)


def _scaled(series: Floats) -> Floats:
    """Bring series of extreme magnitude near 1 by a power of two, which changes no letter."""
    _, exponents = np.frexp(np.abs(series).max(axis=-1, keepdims=True))
    halved = np.ldexp(series, -(exponents // 2))
    scaled: Floats = np.ldexp(halved, -(exponents - exponents // 2))
    return scaled


def _centre(series: Floats, axis: int) -> tuple[Floats, Floats, Floats]:
    """Return the deviations from the mean, the mean and the sample standard deviation."""
    points = series.shape[axis]
    mean = np.add.reduce(series, axis=axis, keepdims=True) / points
    deviations = series - mean
    sums = np.einsum("rp,rp->r" if axis else "pr,pr->r", deviations, deviations)
    spread = np.sqrt(np.expand_dims(sums, axis) / (points - 1))
    return deviations, mean, spread


def _normalized_block(series: Floats) -> Floats:
    """Z-normalize the rows of one block; the answer for a row never depends on its neighbours."""
    short = series.shape[1] < SHORT_SERIES
    # Short rows are reduced column by column, which numpy does many rows at a time.
    block, axis = (np.ascontiguousarray(series.T), 0) if short else (series, 1)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        deviations, mean, spread = _centre(block, axis)
        plain = (spread > 1e-140) & (spread < 1e140) & (spread > 1e-9 * np.abs(mean))
    odd = np.flatnonzero(~plain)
    spread.flat[odd] = 1.0
    np.divide(deviations, spread, out=deviations)
    normalized = np.ascontiguousarray(deviations.T) if short else deviations
    if odd.size:
        normalized[odd] = _normalized_odd(series[odd])
    return normalized


def _normalized_odd(series: Floats) -> Floats:
    """Z-normalize rows that are constant, nearly constant or of extreme magnitude."""
    constant = series.max(axis=1) == series.min(axis=1)
    scaled = _scaled(series)
    scaled -= scaled[:, :1]
    scaled = _scaled(scaled)
    deviations, _, spread = _centre(scaled, 1)
    spread[constant] = 1.0
    normalized: Floats = deviations / spread
    normalized[constant] = 0.0
    return normalized


def _blocks(rows: int, points: int) -> list[slice]:
    """Cut the rows into blocks that stay in the processor's cache."""
    step = max(1, BLOCK_VALUES // max(points, 1))
    return [slice(start, start + step) for start in range(0, rows, step)]


def z_normalize(series: Floats) -> Floats:
    """Return each series with mean 0 and sample standard deviation 1; a constant one becomes 0."""
    normalized = np.empty_like(series, dtype=np.float64)
    for block in _blocks(*series.shape):
        check()
        normalized[block] = _normalized_block(series[block])
    return normalized


def segment_means(series: Floats, segments: int) -> Floats:
    """Return the mean of each of equally long segments; a point on a border is shared out."""
    rows, points = series.shape
    if points % segments == 0:
        means: Floats = series.reshape(rows, segments, points // segments).mean(axis=2)
        return means
    edges = np.arange(segments + 1) * points
    starts, stops = edges[:-1, None], edges[1:, None]
    cells = np.arange(points) * segments
    overlap = np.minimum(stops, cells + segments) - np.maximum(starts, cells)
    shares = np.maximum(overlap, 0) / points
    averaged: Floats = np.einsum("rp,sp->rs", series, shares)
    return averaged


def letters(series: Floats, level: int, segments: int | None = None) -> Letters:
    """Return the letters (0 = 'a') of each series; a value on a break point goes up."""
    rows, points = series.shape
    width = points if segments is None else segments
    found = np.zeros((rows, width), dtype=np.uint8)
    thresholds = break_points(level) - TOLERANCE
    for block in _blocks(rows, points):
        check()
        normalized = _normalized_block(series[block])
        if segments is not None:
            normalized = segment_means(normalized, segments)
        count_reached(normalized, thresholds, found[block])
    return found


def count_reached(normalized: Floats, thresholds: Floats, found: Letters) -> None:
    """Add to `found`, in place, how many thresholds each value has reached."""
    reached = np.empty(normalized.shape, dtype=bool)
    for threshold in thresholds:
        np.greater_equal(normalized, threshold, out=reached)
        np.add(found, reached.view(np.uint8), out=found)


def words(found: Letters) -> list[str]:
    """Write letters as lower-case words."""
    rows, width = found.shape
    text = (found + np.uint8(ord("a"))).tobytes().decode("ascii")
    return [text[start : start + width] for start in range(0, rows * width, width)]


def letters_of(texts: list[str]) -> Letters:
    """Read words of one length back into letters (0 = 'a')."""
    flat = np.frombuffer("".join(texts).encode("ascii"), dtype=np.uint8)
    return (flat - np.uint8(ord("a"))).reshape(len(texts), -1)


@cache
def _letter_table() -> Floats:
    """Return the value of every letter at every level as one table, NaN where there is none."""
    table = np.full((HIGHEST_LEVEL + 1, HIGHEST_LEVEL), np.nan)
    for level in range(LOWEST_LEVEL, HIGHEST_LEVEL + 1):
        table[level, :level] = letter_values(level)
    return table


def reconstruct(found: Letters, levels: int | Integers) -> Floats:
    """Return the normalized series the letters stand for, each row at its own level."""
    each = np.broadcast_to(np.asarray(levels, dtype=np.int64), (found.shape[0],))
    series: Floats = _letter_table()[each[:, None], found]
    return series


def value_loss(low: Floats, high: Floats) -> Floats:
    """Return for each envelope the root mean square of its ranges, of any magnitude."""
    with np.errstate(over="ignore"):
        ranges = high - low
    wide = ~np.isfinite(ranges).all(axis=1)
    ranges[wide] = high[wide] / 2 - low[wide] / 2
    # Neither squares nor their sum leave the range of a number that lies between 1/2 and 1.
    _, exponents = np.frexp(ranges.max(axis=1, initial=0.0))
    squares = np.square(np.ldexp(ranges, -exponents[:, None]))
    loss: Floats = np.ldexp(np.sqrt(squares.mean(axis=1)), exponents + wide)
    return loss


def mean_loss(losses: Floats) -> float:
    """Return the mean of losses whose sum may be too large for a number."""
    with np.errstate(over="ignore"):
        mean = float(losses.mean())
    return mean if np.isfinite(mean) else float((losses / losses.size).sum())


def pattern_loss(series: Floats, found: Letters, levels: int | Integers) -> Floats:
    """Return one minus the cosine of the pairwise differences of each series and its letters.

    That cosine equals the correlation of the two series, so no pair is ever formed.
    """
    published = z_normalize(reconstruct(found, levels))
    own = z_normalize(series)
    flat_own = ~own.any(axis=1)
    flat_published = ~published.any(axis=1)
    cosine = np.multiply(own, published).sum(axis=1) / (series.shape[1] - 1)
    cosine[flat_own & flat_published] = 1.0
    loss: Floats = np.clip(1.0 - cosine, 0.0, 2.0)
    return loss
