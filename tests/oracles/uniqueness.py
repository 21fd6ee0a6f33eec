"""Population uniques by the formulae as they are printed: sums, binomials, no special functions."""

from math import comb, exp, log, prod


def zayatz(groups, population):
    """From groups of each size; exact hypergeometric chances of drawing one of each group."""
    drawn = sum(size * n for size, n in groups.items())
    distinct = sum(groups.values())

    def alone(size):
        return size * comb(population - size, drawn - 1) / comb(population, drawn)

    total = sum(n / distinct * alone(size) for size, n in groups.items())
    sure = groups.get(1, 0) / distinct * alone(1) / total
    return groups.get(1, 0) * sure * population / drawn


def largest(function, low, high, steps=60):
    """Where a function with one peak is largest: thirds, again and again."""
    for _ in range(steps):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (left, high) if function(left) < function(right) else (low, right)
    return (low + high) / 2


def pitman(groups, population):
    """The parameters of the largest likelihood, and the chance that nobody joins a new group."""
    drawn = sum(size * n for size, n in groups.items())
    distinct = sum(groups.values())

    def likelihood(theta, alpha):
        return (
            sum(log(theta + i * alpha) for i in range(1, distinct))
            - sum(log(theta + i) for i in range(1, drawn))
            + sum(n * sum(log(j - alpha) for j in range(1, size)) for size, n in groups.items())
        )

    def theta_of(alpha):
        by_log = largest(lambda x: likelihood(exp(x) - alpha, alpha), log(1e-6), log(1e5))
        return exp(by_log) - alpha

    alpha = largest(lambda a: likelihood(theta_of(a), a), 1e-4, 1 - 1e-6, 30)
    theta = theta_of(alpha)
    return population * prod((theta + alpha + i - 1) / (theta + i) for i in range(1, population))


def crossing(function, low, high, steps=60):
    sign = function(high) > 0
    for _ in range(steps):
        middle = (low + high) / 2
        low, high = (low, middle) if (function(middle) > 0) == sign else (middle, high)
    return (low + high) / 2


def shifted_negative_binomial(groups, population, most=400):
    """Chances of each size up to `most`, thinned one by one; ones and pairs as in the sample."""
    drawn = sum(size * n for size, n in groups.items())
    f = drawn / population
    total = lambda term: sum(n * term(size) for size, n in groups.items())  # noqa: E731
    classes = sum(groups.values()) + groups[1] * (
        total(lambda i: i * f**2 * (1 - f**2) ** (i - 1))
        / total(lambda i: (1 - f) ** i * ((1 + f) ** i - 1))
        * (total(lambda i: (1 - f) ** i) / total(lambda i: i * f * (1 - f) ** (i - 1))) ** 2
    )

    def expected(alpha, beta):
        chance, ones, pairs = beta**alpha, 0.0, 0.0
        for size in range(1, most):
            ones += chance * size * f * (1 - f) ** (size - 1)
            pairs += chance * comb(size, 2) * f**2 * (1 - f) ** max(size - 2, 0)
            chance *= (alpha + size - 1) / size * (1 - beta)
        return classes * ones, classes * pairs

    def shape(beta):
        def excess(x):
            ones, pairs = expected(exp(x), beta)
            return pairs / ones - groups[2] / groups[1]

        return exp(crossing(excess, log(1e-3), log(20), 40))

    beta = crossing(lambda b: expected(shape(b), b)[0] - groups[1], 0.05, 0.95, 30)
    return classes * beta ** shape(beta)
