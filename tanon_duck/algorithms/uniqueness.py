"""How many are unique in a population, from how many groups of each size a sample of it has.

A sample of n of N has `groups[i]` groups of `sizes[i]`. Pitman's model (Hoshino 2001) and the
shifted negative binomial (Chen and Keller-McNulty 1998) say how sizes arise; Zayatz (1991) takes
the sizes in the population to be spread like those of the sample. None of them is given where it
has no solution: NaN.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, isfinite, lgamma, log, nan

import numpy as np
from numpy.typing import NDArray

from tanon_duck.algorithms.checkpoint import check

SMALL = 0.1  # up to which sampling fraction Dankar et al. (2012) trust Pitman's model
NEAR = 1e-11  # when a root is found


@dataclass(frozen=True)
class Sample:
    """Groups of each size, ascending, and how many there are in the population."""

    sizes: NDArray[np.float64]
    groups: NDArray[np.float64]
    population: float

    @property
    def drawn(self) -> float:
        return float(self.sizes @ self.groups)

    @property
    def fraction(self) -> float:
        return self.drawn / self.population

    @property
    def distinct(self) -> float:
        return float(self.groups.sum())

    def of_size(self, size: int) -> float:
        """How many groups have this size."""
        return float(self.groups[self.sizes == size].sum())


def _digamma(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """The derivative of log gamma, for x > 0: by recurrence up to 10, then its series."""
    x = np.array(x, dtype=np.float64)
    value = np.zeros_like(x)
    while np.any(low := x < 10):
        value[low] -= 1 / x[low]
        x[low] += 1
    square = 1 / (x * x)
    series = square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square / 240)))
    answer: NDArray[np.float64] = value + np.log(x) - 0.5 / x - series
    return answer


def _psi(x: float) -> float:
    return float(_digamma(np.array([x]))[0])


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a function crosses zero between two places at which its signs differ."""
    rises = function(high) > 0
    while high - low > NEAR * max(1.0, abs(low)):
        middle = (low + high) / 2
        if (function(middle) > 0) == rises:
            high = middle
        else:
            low = middle
    return (low + high) / 2


def _theta(sample: Sample, alpha: float) -> float:
    """The likeliest theta of Pitman's model for this alpha."""

    def slope(shifted: float) -> float:
        theta = exp(shifted) - alpha
        distinct = sample.distinct - 1
        if alpha > 1e-6 * (1 + abs(theta)) / sample.distinct:
            first = (_psi(theta / alpha + distinct + 1) - _psi(theta / alpha + 1)) / alpha
        else:
            first = distinct / theta
        return first - _psi(sample.drawn + theta) + _psi(theta + 1)

    return exp(_root(slope, log(1e-9), log(1e6 * sample.drawn))) - alpha


def _pitman_slope(sample: Sample, alpha: float) -> float:
    """The derivative of the likelihood by alpha, at the likeliest theta."""
    check()
    theta, distinct = _theta(sample, alpha), sample.distinct - 1
    # The sum over i of i / (theta + i alpha).
    first = (
        distinct - theta / alpha * (_psi(theta / alpha + distinct + 1) - _psi(theta / alpha + 1))
    ) / alpha
    more = sample.sizes > 1
    rest = _digamma(sample.sizes[more] - alpha) - _psi(1 - alpha)
    return first - float(sample.groups[more] @ rest)


def pitman(sample: Sample) -> float:
    """What Pitman's model expects, with the likeliest parameters for the sample."""
    if sample.of_size(1) == sample.drawn:
        return sample.population
    if sample.distinct < 2:
        return nan
    low, high = 1e-4, 1 - 1e-9
    if _pitman_slope(sample, high) > 0:
        return nan
    alpha = low
    if _pitman_slope(sample, low) > 0:
        alpha = _root(lambda a: _pitman_slope(sample, a), low, high)
    theta, people = _theta(sample, alpha), sample.population
    expected = log(people) + lgamma(theta + 1) - lgamma(theta + alpha)
    return exp(expected + lgamma(theta + alpha + people - 1) - lgamma(theta + people))


def zayatz(sample: Sample) -> float:
    """Each sample unique is one of the population as likely as the sizes of the sample say."""
    ones = sample.of_size(1)
    rest = sample.population - sample.drawn
    fits = sample.sizes - 1 <= rest
    sizes, groups = sample.sizes[fits], sample.groups[fits]
    # Of a group of this size one is drawn: hypergeometric, as sampling is without replacement.
    chances = (
        np.exp(
            np.log(sizes)
            + np.array([lgamma(rest + 1) - lgamma(rest - size + 2) for size in sizes])
            - np.array(
                [lgamma(sample.population + 1) - lgamma(sample.population - s + 1) for s in sizes]
            )
        )
        * sample.drawn
    )
    sure = ones * sample.fraction / float(groups @ chances)
    return ones * sure / sample.fraction


def _groups_in_population(sample: Sample) -> float:
    """How many groups there are, seen or not (Shlosser, as modified by Haas and Stokes 1998)."""
    share, sizes, groups = sample.fraction, sample.sizes, sample.groups
    missed = (1 - share) ** sizes
    alone = sizes * share * (1 - share) ** (sizes - 1)
    wider = sizes * share**2 * (1 - share**2) ** (sizes - 1)
    first = float(groups @ wider) / float(groups @ ((1 - share**2) ** sizes - missed))
    second = float(groups @ missed) / float(groups @ alone)
    return sample.distinct + sample.of_size(1) * first * second**2


def _binomial_shape(sample: Sample, beta: float) -> float:
    """The alpha with which pairs are as frequent as in the sample, against those alone."""
    share, rest = sample.fraction, 1 - sample.fraction
    step = (1 - beta) / (1 - (1 - beta) * rest)

    def excess(logarithm: float) -> float:
        alpha = exp(logarithm)
        pairs = share / 2 * alpha * step * (2 + rest * (alpha + 1) * step)
        return pairs / (1 + rest * alpha * step) - sample.of_size(2) / sample.of_size(1)

    return exp(_root(excess, log(1e-12), log(1e12)))


def shifted_negative_binomial(sample: Sample) -> float:
    """The sizes are one and a negative binomial, so that ones and pairs are met as expected."""
    ones, pairs, share = sample.of_size(1), sample.of_size(2), sample.fraction
    if not pairs:
        return nan
    groups = _groups_in_population(sample)

    def excess(logit: float) -> float:
        check()
        beta = 1 / (1 + exp(-logit))
        alpha, inside = _binomial_shape(sample, beta), 1 - (1 - beta) * (1 - share)
        alone = alpha * (log(beta) - log(inside))
        tail = 1 + (1 - share) * alpha * (1 - beta) / inside
        return log(groups * share) + alone + log(tail) - log(ones)

    places = np.linspace(-12, 12, 97)
    values = [excess(float(place)) for place in places]
    crossings = [i for i in range(96) if (values[i] > 0) != (values[i + 1] > 0)]
    if not crossings:
        return nan
    found = _root(excess, float(places[crossings[-1]]), float(places[crossings[-1] + 1]))
    beta = 1 / (1 + exp(-found))
    return groups * exp(_binomial_shape(sample, beta) * log(beta))


def estimate_uniques_by_model(sample: Sample) -> dict[str, float]:
    """The estimate of each model; NaN where it has none, or one larger than the population."""
    if not sample.of_size(1):
        return dict.fromkeys(("pitman", "zayatz", "snb"), 0.0)
    if sample.drawn >= sample.population:
        return dict.fromkeys(("pitman", "zayatz", "snb"), sample.of_size(1))
    found = {
        "pitman": pitman(sample),
        "zayatz": zayatz(sample),
        "snb": shifted_negative_binomial(sample),
    }
    return {
        name: value if value <= sample.population * (1 + 1e-9) else nan
        for name, value in found.items()
    }


def recommended_model(sample: Sample, found: dict[str, float]) -> str:
    """The model that the rule of Dankar et al. trusts."""
    if sample.population and sample.fraction <= SMALL:
        return "pitman" if isfinite(found["pitman"]) else "zayatz"
    return "snb" if found["snb"] <= found["zayatz"] else "zayatz"
