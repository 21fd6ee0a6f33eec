"""Estimates how many people are unique in a population, from a sample of it.

People with equal quasi-identifiers form a group. A person is unique if their group has size 1. The
sample shows how many groups of each size it has. Three models infer the groups of the population:

- ``pitman``: Pitman's sampling formula (Hoshino 2001), with parameters alpha and theta;
- ``zayatz``: group sizes are distributed in the population as in the sample (Zayatz 1991);
- ``shifted_negative_binomial``, "snb": group sizes are 1 plus a negative binomial number, with
  parameters alpha and beta (Chen and Keller-McNulty 1998).

Each returns NaN if it has no solution for the sample. ``recommended_model`` chooses one by the
rule of Dankar et al. (2012).
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, isfinite, lgamma, log, nan

import numpy as np
from numpy.typing import NDArray

from tanon_duck.algorithms.checkpoint import check

# Up to this sampling fraction Dankar et al. (2012) recommend Pitman's model.
LARGEST_FRACTION_FOR_PITMAN = 0.1
# The relative precision of parameters that are found by bisection.
PRECISION = 1e-11
# An estimate may exceed the population by this share through rounding.
ROUNDING = 1e-9


@dataclass(frozen=True)
class Sample:
    """``groups[i]`` is the number of groups of size ``sizes[i]``, which ascend.

    ``population`` is the number of people in the population.
    """

    sizes: NDArray[np.float64]
    groups: NDArray[np.float64]
    population: float

    @property
    def people(self) -> float:
        """The number of people in the sample."""
        return float(self.sizes @ self.groups)

    @property
    def fraction(self) -> float:
        """The share of the population that is in the sample."""
        return self.people / self.population

    @property
    def n_groups(self) -> float:
        """The number of groups in the sample."""
        return float(self.groups.sum())

    def groups_of_size(self, size: int) -> float:
        """Return the number of groups in the sample that have this size."""
        return float(self.groups[self.sizes == size].sum())


def _digamma(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the derivative of the logarithm of the gamma function, for positive numbers.

    The recurrence digamma(x) = digamma(x + 1) - 1 / x leads to numbers of at least 10. For these
    the asymptotic series is exact to the last digits.
    """
    x = np.array(x, dtype=np.float64)
    value = np.zeros_like(x)
    while np.any(low := x < 10):
        value[low] -= 1 / x[low]
        x[low] += 1
    square = 1 / (x * x)
    series = square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square / 240)))
    answer: NDArray[np.float64] = value + np.log(x) - 0.5 / x - series
    return answer


def _digamma_of(x: float) -> float:
    return float(_digamma(np.array([x]))[0])


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a function is zero, by bisection; its signs at low and high must differ."""
    rises = function(high) > 0
    while high - low > PRECISION * max(1.0, abs(low)):
        middle = (low + high) / 2
        if (function(middle) > 0) == rises:
            high = middle
        else:
            low = middle
    return (low + high) / 2


def _likeliest_theta(sample: Sample, alpha: float) -> float:
    """Return the theta of Pitman's model that is most likely for this alpha."""

    def derivative(log_sum: float) -> float:
        """The derivative of the log likelihood by theta, at theta = exp(log_sum) - alpha."""
        theta = exp(log_sum) - alpha
        others = sample.n_groups - 1
        # The sum over i from 1 to others of 1 / (theta + i alpha).
        if alpha > 1e-6 * (1 + abs(theta)) / sample.n_groups:
            ratio = theta / alpha
            groups_term = (_digamma_of(ratio + others + 1) - _digamma_of(ratio + 1)) / alpha
        else:
            groups_term = others / theta
        return groups_term - _digamma_of(sample.people + theta) + _digamma_of(theta + 1)

    return exp(_root(derivative, log(1e-9), log(1e6 * sample.people))) - alpha


def _alpha_derivative(sample: Sample, alpha: float) -> float:
    """Return the derivative of Pitman's log likelihood by alpha, at the likeliest theta."""
    check()
    theta, others = _likeliest_theta(sample, alpha), sample.n_groups - 1
    # The sum over i from 1 to others of i / (theta + i alpha).
    ratio = theta / alpha
    groups_term = (
        others - ratio * (_digamma_of(ratio + others + 1) - _digamma_of(ratio + 1))
    ) / alpha
    several = sample.sizes > 1
    size_terms = _digamma(sample.sizes[several] - alpha) - _digamma_of(1 - alpha)
    return groups_term - float(sample.groups[several] @ size_terms)


def pitman(sample: Sample) -> float:
    """Return the expected uniques in Pitman's model, with its most likely parameters."""
    if sample.groups_of_size(1) == sample.people:
        return sample.population
    if sample.n_groups < 2:
        return nan
    lowest_alpha, highest_alpha = 1e-4, 1 - 1e-9
    if _alpha_derivative(sample, highest_alpha) > 0:
        return nan
    alpha = lowest_alpha
    if _alpha_derivative(sample, lowest_alpha) > 0:
        alpha = _root(lambda a: _alpha_derivative(sample, a), lowest_alpha, highest_alpha)
    theta, people = _likeliest_theta(sample, alpha), sample.population
    log_uniques = log(people) + lgamma(theta + 1) - lgamma(theta + alpha)
    return exp(log_uniques + lgamma(theta + alpha + people - 1) - lgamma(theta + people))


def zayatz(sample: Sample) -> float:
    """Return the expected uniques if population and sample have the same distribution of sizes.

    By Bayes' rule this gives the probability that a sample unique is unique in the population.
    """
    uniques = sample.groups_of_size(1)
    not_in_sample = sample.population - sample.people
    fits = sample.sizes - 1 <= not_in_sample
    sizes, groups = sample.sizes[fits], sample.groups[fits]
    # The probability that the sample contains exactly one person of a group of each size. It is
    # hypergeometric, because the sample is drawn without replacement.
    probabilities = (
        np.exp(
            np.log(sizes)
            + np.array(
                [lgamma(not_in_sample + 1) - lgamma(not_in_sample - size + 2) for size in sizes]
            )
            - np.array(
                [lgamma(sample.population + 1) - lgamma(sample.population - s + 1) for s in sizes]
            )
        )
        * sample.people
    )
    probability_unique = uniques * sample.fraction / float(groups @ probabilities)
    return uniques * probability_unique / sample.fraction


def _groups_in_population(sample: Sample) -> float:
    """Return an estimate of the number of groups in the population.

    It is Shlosser's estimator as modified by Haas and Stokes (1998). Its terms are probabilities
    that a group of each size has no person, or one person, in a sample.
    """
    share, sizes, groups = sample.fraction, sample.sizes, sample.groups
    none = (1 - share) ** sizes
    one = sizes * share * (1 - share) ** (sizes - 1)
    one_at_squared_share = sizes * share**2 * (1 - share**2) ** (sizes - 1)
    none_at_squared_share = (1 - share**2) ** sizes
    first = float(groups @ one_at_squared_share) / float(groups @ (none_at_squared_share - none))
    second = float(groups @ none) / float(groups @ one)
    return sample.n_groups + sample.groups_of_size(1) * first * second**2


def _alpha_for_pairs(sample: Sample, beta: float) -> float:
    """Return the alpha of the negative binomial that explains the ratio of pairs to uniques.

    With this alpha and beta, the expected ratio of groups of size 2 to groups of size 1 in a
    sample equals the observed ratio.
    """
    share, rest = sample.fraction, 1 - sample.fraction
    step = (1 - beta) / (1 - (1 - beta) * rest)
    observed_ratio = sample.groups_of_size(2) / sample.groups_of_size(1)

    def excess(log_alpha: float) -> float:
        alpha = exp(log_alpha)
        pairs = share / 2 * alpha * step * (2 + rest * (alpha + 1) * step)
        return pairs / (1 + rest * alpha * step) - observed_ratio

    return exp(_root(excess, log(1e-12), log(1e12)))


def shifted_negative_binomial(sample: Sample) -> float:
    """Return the expected uniques if group sizes are 1 plus a negative binomial number.

    The parameters alpha and beta are those for which the expected numbers of groups of sizes 1
    and 2 in a sample equal the observed numbers.
    """
    share = sample.fraction
    if not sample.groups_of_size(2):
        return nan
    n_groups = _groups_in_population(sample)

    def excess(logit: float) -> float:
        """The log of expected over observed groups of size 1, at beta = 1 / (1 + exp(-logit))."""
        check()
        beta = 1 / (1 + exp(-logit))
        alpha, inside = _alpha_for_pairs(sample, beta), 1 - (1 - beta) * (1 - share)
        log_zero = alpha * (log(beta) - log(inside))
        tail = 1 + (1 - share) * alpha * (1 - beta) / inside
        return log(n_groups * share) + log_zero + log(tail) - log(sample.groups_of_size(1))

    # The function may have several roots. The one with the largest beta counts.
    logits = np.linspace(-12, 12, 97)
    values = [excess(float(logit)) for logit in logits]
    crossings = [i for i in range(96) if (values[i] > 0) != (values[i + 1] > 0)]
    if not crossings:
        return nan
    logit = _root(excess, float(logits[crossings[-1]]), float(logits[crossings[-1] + 1]))
    beta = 1 / (1 + exp(-logit))
    return n_groups * exp(_alpha_for_pairs(sample, beta) * log(beta))


def estimate_uniques_by_model(sample: Sample) -> dict[str, float]:
    """Return the estimate of each model: "pitman", "zayatz" and "snb".

    It is NaN if the model has no solution, or if it exceeds the population.
    """
    if not sample.groups_of_size(1):
        return dict.fromkeys(("pitman", "zayatz", "snb"), 0.0)
    if sample.people >= sample.population:
        return dict.fromkeys(("pitman", "zayatz", "snb"), sample.groups_of_size(1))
    estimates = {
        "pitman": pitman(sample),
        "zayatz": zayatz(sample),
        "snb": shifted_negative_binomial(sample),
    }
    return {
        model: uniques if uniques <= sample.population * (1 + ROUNDING) else nan
        for model, uniques in estimates.items()
    }


def recommended_model(sample: Sample, estimates: dict[str, float]) -> str:
    """Return the model that the rule of Dankar et al. (2012) chooses from the estimates."""
    if sample.population and sample.fraction <= LARGEST_FRACTION_FOR_PITMAN:
        return "pitman" if isfinite(estimates["pitman"]) else "zayatz"
    return "snb" if estimates["snb"] <= estimates["zayatz"] else "zayatz"
