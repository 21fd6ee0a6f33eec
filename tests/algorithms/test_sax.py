"""Letters, reconstruction and losses against plain loops and known words."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from oracles import sax as slow
from oracles.example_tables import INCOMES, SERIES_KINDS, random_series
from tanon_duck.algorithms import sax

YEARS = INCOMES[:, :6]


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        (2, ["aaabbb", "aaabbb", "bbbaaa", "aaabbb", "bbbaaa", "aaaabb", "bbbaaa", "bbbaaa"]),
        (3, ["aabbcc", "aabbcc", "ccbbaa", "aabbcc", "ccbbaa", "aabbcc", "ccbbaa", "ccbaba"]),
    ],
)
def test_incomes_have_the_known_words(level, expected):
    assert sax.words(sax.letters(YEARS, level)) == expected


def test_break_points_and_letter_values_are_symmetric_and_right():
    assert sax.break_points(4) == pytest.approx([-0.67448975, 0, 0.67448975], abs=1e-8)
    assert sax.letter_values(3) == pytest.approx([-0.96742157, 0, 0.96742157], abs=1e-8)
    for level in range(1, 27):
        points, values = sax.break_points(level), sax.letter_values(level)
        assert len(points) == level - 1
        assert len(values) == level
        assert (points == -points[::-1]).all()
        assert (values == -values[::-1]).all()
        assert (np.diff(points) > 0).all()


@pytest.mark.parametrize("kind", SERIES_KINDS)
@pytest.mark.parametrize("points", [2, 3, 10, 31])
def test_letters_equal_plain_loops(kind, points):
    series = random_series(kind, 60, points, seed=points)
    for level in (1, 2, 3, 4, 7, 26):
        found = sax.words(sax.letters(series, level))
        assert found == [slow.word(list(row), level) for row in series]


def test_a_value_on_the_mean_goes_up_whatever_the_rounding():
    rng = np.random.default_rng(5)
    around = np.round(rng.uniform(0, 9, size=(4000, 1)), 1)
    step = np.round(rng.uniform(0.1, 2, size=(4000, 1)), 1)
    series = np.concatenate([around - step, around, around + step], axis=1)
    assert set(sax.words(sax.letters(series, 2))) == {"abb"}
    assert set(sax.words(sax.letters(series, 4))) == {"acd"}


@pytest.mark.parametrize("constant", [0.0, 0.1, -7.3, 1e308, 5e-324])
def test_a_constant_series_has_one_letter_and_no_loss(constant):
    series = np.full((3, 10), constant)
    assert sax.words(sax.letters(series, 4)) == ["c" * 10] * 3
    assert sax.words(sax.letters(series, 5)) == ["c" * 10] * 3
    assert (sax.pattern_loss(series, sax.letters(series, 4), 4) == 0).all()


def test_extreme_magnitudes_keep_their_shape():
    shape = np.array([[0.0, 1.0, 3.0, 2.0]])
    plain = sax.z_normalize(shape)
    for factor in (1e-300, 1e307):
        assert sax.z_normalize(shape * factor) == pytest.approx(plain)
    assert sax.z_normalize(shape + 2.0**50) == pytest.approx(plain)


def test_a_row_does_not_depend_on_its_neighbours():
    series = random_series("walk", 9000, 10, seed=3)
    whole = sax.z_normalize(series)
    assert (whole[4321:4322] == sax.z_normalize(series[4321:4322])).all()
    assert (whole[::-1] == sax.z_normalize(series[::-1])).all()


def test_segments_average_before_the_letters():
    series = random_series("walk", 50, 12, seed=9)
    averaged = sax.z_normalize(series).reshape(50, 4, 3).mean(axis=2)
    expected = (averaged[:, :, None] + 1e-12 >= sax.break_points(5)).sum(axis=2)
    assert (sax.letters(series, 5, segments=4) == expected).all()
    assert (sax.letters(series, 5, segments=12) == sax.letters(series, 5)).all()


def test_segments_share_a_point_that_lies_across_their_border():
    assert sax.segment_means(np.array([[0.0, 3.0, 9.0]]), 2) == pytest.approx(
        np.array([[1.0, 7.0]])
    )


def test_words_can_be_read_back():
    found = sax.letters(random_series("walk", 20, 7, seed=1), 26)
    assert (sax.letters_of(sax.words(found)) == found).all()
    assert sax.words(np.zeros((0, 5), dtype=np.uint8)) == []


@settings(derandomize=True, deadline=None)
@given(hnp.arrays(np.float64, (4, 6), elements=st.integers(-50, 50).map(float)), st.integers(1, 26))
def test_pattern_loss_equals_the_cosine_of_all_pairs(series, level):
    found = sax.letters(series, level)
    shifted = np.roll(found, 1, axis=0)
    for letters in (found, shifted):
        expected = [
            slow.pattern_loss(list(row), word, level)
            for row, word in zip(series, sax.words(letters), strict=True)
        ]
        assert sax.pattern_loss(series, letters, level) == pytest.approx(expected, abs=1e-9)


def test_losses_at_known_points():
    rising, falling = np.array([[1.0, 2.0, 3.0]]), np.array([[2, 1, 0]], dtype=np.uint8)
    assert sax.pattern_loss(rising, falling, 3) == pytest.approx([2.0])
    assert sax.pattern_loss(rising, np.zeros((1, 3), dtype=np.uint8), 1) == pytest.approx([1.0])
    loss = sax.value_loss(np.array([[0.0, 1.0]]), np.array([[3.0, 5.0]]))
    assert loss == pytest.approx([12.5**0.5])


def test_own_loss_of_income_rows():
    levels = np.array([5, 6])
    row = np.repeat(YEARS[:1], 2, axis=0)
    found = np.vstack([sax.letters(YEARS[:1], 5), sax.letters(YEARS[:1], 6)])
    assert np.round(sax.pattern_loss(row, found, levels), 4) == pytest.approx([0.0125, 0.0192])


@pytest.mark.parametrize(
    ("low", "high", "loss"),
    [
        ([-1e308, 0.0], [1e308, 1.0], 2**0.5 * 1e308),
        ([0.0, 0.0], [3e-200, 4e-200], 5e-200 / 2**0.5),
        ([0.0], [5e-324], 5e-324),
        ([-1e200, 1.0], [1e200, 1.0], 2**0.5 * 1e200),
        ([7.0], [7.0], 0.0),
    ],
)
def test_value_loss_of_any_magnitude(low, high, loss):
    (found,) = sax.value_loss(np.array([low]), np.array([high]))
    assert found == pytest.approx(loss, rel=1e-14, abs=0.0)


def test_mean_loss_of_what_no_sum_holds():
    assert sax.mean_loss(np.full(3, 1.5e308)) == pytest.approx(1.5e308, rel=1e-14)
    assert sax.mean_loss(np.array([1.0, 2.0])) == 1.5
