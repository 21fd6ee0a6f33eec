"""Equal series stay together wherever they can, and KAPRA is narrower than the published method."""

import numpy as np
import pytest

from oracles.example_tables import normal_walk, random_series
from oracles.torn_series import could_part, torn, torn_without_need
from tanon_duck.algorithms import sax
from tanon_duck.algorithms.kp import untorn_split as module
from tanon_duck.algorithms.kp.balanced_split import balanced_split
from tanon_duck.algorithms.kp.classes import number_equal_rows
from tanon_duck.algorithms.kp.release import kp_release
from tanon_duck.algorithms.kp.untorn_split import untorn_split


def repeated(seed, most_rows=40):
    """Return a table of few different series, each as often as chance has it."""
    rng = np.random.default_rng(seed)
    different = random_series(("walk", "integer", "decimal")[seed % 3], 2 + seed % 9, 3, seed)
    often = rng.choice([1, 1, 2, 2, 3, 4, 7, 11], size=len(different))
    rows = np.repeat(different, often, axis=0)
    return rows[rng.permutation(len(rows))[:most_rows]]


def quadruples():
    one, other = np.arange(6.0), np.arange(6.0) + 27
    return np.array([one, other] * 4)


def losses(series, k, p, **options):
    found = kp_release(series, k, p, "kapra", 10, **options)
    kept = found.k_group >= 0
    values = sax.value_loss(found.low, found.high)[found.k_group[kept]].sum()
    patterns = sax.pattern_loss(series[kept], found.letters[kept], found.level[kept]).sum()
    return values, patterns


def test_two_equal_quadruples_make_two_groups():
    """Cutting at a multiple of P = 3 would put both into one group: a value loss of 8 x 27."""
    series = quadruples()
    groups = untorn_split(series, 3, np.zeros(8, dtype=np.int64))
    assert groups.tolist() == groups[:2].tolist() * 4
    assert set(groups.tolist()) == {0, 1}
    assert losses(series, 4, 3) == (0.0, pytest.approx(losses(series, 4, 3, split="sequential")[1]))


@pytest.mark.parametrize("smallest", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(100))
def test_no_series_is_torn_that_could_have_stayed_together(seed, smallest):
    series = repeated(seed)
    groups = untorn_split(series, smallest, np.zeros(len(series), dtype=np.int64))
    assert torn_without_need(series.tolist(), groups.tolist(), smallest) == []
    for group in range(groups.max() + 1):
        rows = series[groups == group]
        assert len(rows) >= min(smallest, len(series))
        assert len(rows) < 2 * smallest or (rows == rows[0]).all()


def test_control_cuts_at_multiples_tear_what_could_have_stayed_together():
    needless = 0
    for seed in range(100):
        series = repeated(seed)
        groups = balanced_split(series, 3, np.zeros(len(series), dtype=np.int64))
        needless += bool(torn_without_need(series.tolist(), groups.tolist(), 3))
    assert needless > 50


@pytest.mark.parametrize(
    ("often", "smallest", "groups"),
    [
        # On a line; from the outside in: cut, taken out of the middle, parted by sums, torn.
        ([4, 4], 3, [4, 4]),
        ([2, 10, 2], 3, [4, 10]),
        ([3, 3, 1, 1], 4, [4, 4]),
        ([2, 2, 2], 3, [3, 3]),
        ([1, 8], 3, [3, 6]),
        ([100], 3, [100]),
    ],
)
def test_where_series_on_a_line_part(often, smallest, groups):
    series = np.repeat(np.arange(len(often))[:, None] * [1.0, 2.0], often, axis=0)
    found = untorn_split(series, smallest, np.zeros(len(series), dtype=np.int64))
    assert sorted(np.bincount(found).tolist()) == groups
    if torn(series.tolist(), found.tolist()):
        assert not could_part(series.tolist(), smallest)


def test_a_table_without_equal_series_is_cut_where_it_is_narrowest():
    series = np.array([[0.0], [1], [2], [3], [50], [51], [52]])
    assert untorn_split(series, 3, np.zeros(7, dtype=np.int64)).tolist() == [0] * 4 + [1] * 3


def test_large_nodes_are_cut_beside_the_middle(monkeypatch):
    monkeypatch.setattr(module, "LARGEST_WEIGHED", 0)
    for seed in range(30):
        series = repeated(seed)
        groups = untorn_split(series, 2, np.zeros(len(series), dtype=np.int64))
        assert torn_without_need(series.tolist(), groups.tolist(), 2) == []
    series = normal_walk(96)[:, :4]
    sizes = np.bincount(untorn_split(series, 3, np.zeros(96, dtype=np.int64)))
    assert sizes.tolist() == [3] * 32


def test_roots_are_never_mixed_and_equal_series_of_two_roots_are_apart():
    series, roots = np.repeat(quadruples(), 2, axis=0), np.arange(16) % 2
    groups = untorn_split(series, 3, roots)
    assert len(set(zip(roots.tolist(), groups.tolist(), strict=True))) == groups.max() + 1 == 4


def test_equal_rows_have_one_number_even_where_sums_collide(monkeypatch):
    series = np.array([[1.0, 2], [2, 1], [1, 2], [2, 1], [0, 3], [-0.0, 3.0]])
    expected = [0, 1, 0, 1, 2, 2]
    for weight in (np.cos, np.ones_like):
        monkeypatch.setattr(np, "cos", weight)
        found = number_equal_rows(series).tolist()
        assert [found.index(number) for number in found] == [
            expected.index(number) for number in expected
        ]


FAMILIES = {
    "walk": lambda seed: normal_walk(300 + 100 * seed, seed)[:, :10],
    "uniform": lambda seed: np.random.default_rng(seed).random((200 + 100 * seed, 6)),
    "whole numbers": lambda seed: np.random.default_rng(seed).integers(0, 4, (400, 4)) * 1.0,
    "repeated": lambda seed: repeated(seed, most_rows=1000),
    "each four times": lambda seed: np.repeat(normal_walk(90, seed)[:, :6], 4, axis=0),
    "heavy tails": lambda seed: np.exp(normal_walk(500, seed)[:, :7]),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_kapra_is_narrower_than_the_published_method(family):
    """The mean ratio of value losses is at most 0.97; words, and so pattern loss, are the same."""
    ratios = []
    for seed in range(8):
        series = FAMILIES[family](seed)
        for k, p in ((4, 3), (10, 2), (10, 5)):
            if len(series) >= 2 * k:
                value, pattern = losses(series, k, p)
                published, published_pattern = losses(series, k, p, split="sequential")
                assert pattern <= published_pattern + 1e-9
                assert published or not value
                ratios += [value / published] if published else []
    assert np.mean(ratios) <= 0.97, f"{len(ratios)} tables"
