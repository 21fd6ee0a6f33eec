"""SAX in plain loops, and pattern loss by forming every pair of differences."""

import math
from collections.abc import Sequence
from itertools import combinations
from statistics import NormalDist, stdev


def z_normalize(series: Sequence[float]) -> list[float]:
    if max(series) == min(series):
        return [0.0] * len(series)
    mean = math.fsum(series) / len(series)
    spread = stdev(series)
    return [(value - mean) / spread for value in series]


def word(series: Sequence[float], level: int) -> str:
    points = [NormalDist().inv_cdf(j / level) for j in range(1, level)]
    return "".join(
        chr(ord("a") + sum(point <= value + 1e-12 for point in points))
        for value in z_normalize(series)
    )


def reconstruct(text: str, level: int) -> list[float]:
    return [NormalDist().inv_cdf((ord(c) - ord("a") + 0.5) / level) for c in text]


def pattern_loss(series: Sequence[float], text: str, level: int) -> float:
    own = [a - b for a, b in combinations(series, 2)]
    published = [a - b for a, b in combinations(reconstruct(text, level), 2)]
    own_length = math.sqrt(math.fsum(x * x for x in own))
    published_length = math.sqrt(math.fsum(x * x for x in published))
    if own_length == 0 and published_length == 0:
        return 0.0
    if own_length == 0 or published_length == 0:
        return 1.0
    dot = math.fsum(x * y for x, y in zip(own, published, strict=True))
    return 1.0 - dot / (own_length * published_length)


def value_loss(low: Sequence[float], high: Sequence[float]) -> float:
    return math.sqrt(sum((b - a) ** 2 for a, b in zip(low, high, strict=True)) / len(low))
