"""What the reproductions measure with is right on cases small enough to check by hand."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from bench.reproductions import repositioned, schemes, verdicts
from bench.reproductions import series_fig_12_customized as customized
from bench.reproductions.clairvoyant import clairvoyant_loss
from bench.reproductions.workload import Published, Workload
from tanon_duck.algorithms.sax import z_normalize

FAR = [float(d) for d in range(10)]


@pytest.mark.parametrize(
    ("counts", "least", "beta", "loss"),
    [
        ([[1, 1, 0], [0, 0, 1]], 2, 10, 2.0),
        ([[2, 0, 0, 0], [0, 1, 1, 1]], 2, 1.5, 2.0),
        ([[3, 0], [0, 0]], 2, 4, 12.0),
        ([[2, 2], [1, 1]], 2, 4, 0.0),
    ],
)
def test_the_clairvoyant_finds_the_optimum(counts, least, beta, loss):
    bound, found = clairvoyant_loss(np.asarray(counts), Fraction(least), FAR, beta)
    assert bound == pytest.approx(loss)
    assert found == pytest.approx(loss)


def test_a_clairvoyant_who_may_not_move_only_suppresses():
    bound, found = clairvoyant_loss(np.asarray([[2, 0, 0], [0, 1, 1]]), Fraction(2), FAR[:1], 1.5)
    assert bound == found == pytest.approx(3.0)


def test_no_method_beats_the_clairvoyant():
    counts = np.random.default_rng(5).poisson(2.0, (12, 4))
    bound, _ = clairvoyant_loss(counts, Fraction(2), FAR, repositioned.BETA)
    for method in repositioned.NAMES:
        flows = repositioned.run_stream(counts, Fraction(2), 4, method)
        loss = repositioned.measures(counts, flows)["loss per record"] * counts.sum()
        assert loss >= bound - 1e-9


def test_measures_of_flows():
    counts = np.asarray([[3, 1], [0, 4]])
    flows = [(0, 0, 0, 1), (0, 0, 1, 1), (0, 0, None, 1), (1, 0, 0, 1), (1, 1, 1, 4)]
    found = repositioned.measures(counts, flows)
    assert found["suppressed %"] == pytest.approx(100 / 8)
    assert found["moved %"] == pytest.approx(100 / 8)
    assert found["mean distance of moved"] == 1.0
    assert found["loss per record"] == pytest.approx((repositioned.BETA + 1) / 8)
    after = repositioned.published(counts, flows)
    assert after.tolist() == [[1, 1], [1, 4]]
    assert repositioned.window_error(counts, after, 1) == pytest.approx((2 / 3 + 0 + 0) / 3)
    assert repositioned.window_error(counts, after, 2) == pytest.approx((1 / 3 + 0) / 2)


def walks(rows: int = 200) -> np.ndarray:
    return np.random.default_rng(3).normal(size=(rows, 6)).cumsum(axis=1)


def test_the_original_answers_every_query_perfectly():
    series = walks()
    published = Published(np.arange(200), series, series, z_normalize(series))
    answers = Workload.draw(series, 50).ask(series, published)
    assert answers.similar_precision == answers.similar_recall == 1.0
    assert answers.pattern_range_precision == answers.pattern_range_recall == 1.0
    assert answers.range_error == answers.complex_error == 0.0


def test_wide_envelopes_and_missing_patterns_answer_badly():
    series = walks()
    low = np.broadcast_to(series.min(axis=0), series.shape)
    high = np.broadcast_to(series.max(axis=0), series.shape)
    blurred = Published(np.arange(200), low, high, np.zeros_like(series))
    answers = Workload.draw(series, 50).ask(series, blurred)
    assert answers.similar_recall == answers.pattern_range_recall == 0.0
    assert answers.range_error > 0.3
    assert answers.complex_error == 1.0


def test_rows_are_matched_by_their_source_not_by_their_place():
    series = walks()
    order = np.random.default_rng(1).permutation(200)
    published = Published(order, series[order], series[order], z_normalize(series)[order])
    answers = Workload.draw(series, 50).ask(series, published)
    assert answers.similar_precision == answers.pattern_range_recall == 1.0
    assert answers.complex_error == 0.0


def test_half_of_an_envelope_counts_half():
    series = np.asarray([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])
    workload = Workload(
        np.asarray([0]), np.asarray([[[0, 1]]]), np.asarray([[0]]), range_half_width=0.5
    )
    published = Published(np.arange(2), np.zeros((2, 3)), np.ones((2, 3)), np.zeros((2, 3)))
    # Both rows may be anywhere in [0, 1], the query asks for [-0.5, 0.5]: 2 x 1/2 = the true 1.
    assert workload.ask(series, published).range_error == 0.0


def test_losses_of_schemes():
    series = walks(60)
    same = Published(np.arange(60), series, series, z_normalize(series))
    assert schemes.mean_losses(series, same) == (None, pytest.approx(0.0, abs=1e-12))
    upside_down = Published(np.arange(60), series - 1, series + 1, -z_normalize(series))
    assert schemes.mean_losses(series, upside_down) == (pytest.approx(2.0), pytest.approx(2.0))


@pytest.mark.parametrize("name", list(schemes.SCHEMES))
def test_every_scheme_publishes_rows_of_the_table_within_what_it_says(name):
    series = (walks(80) - walks(80).min()) / np.ptp(walks(80))
    published = schemes.publish(name, series, 4, 2)
    assert np.unique(published.row).size == published.row.size
    assert published.low.shape == published.high.shape == published.shape.shape
    assert (published.low <= published.high).all()
    if name not in ("TGA", "BFP2KA"):
        own = series[published.row]
        assert ((published.low <= own) & (own <= published.high)).all()
        assert published.row.size > 70


def test_customized_positions_overlap_as_asked_and_cover_all():
    for overlap in customized.OVERLAPS:
        values, patterns = customized.overlapping(overlap, 3)
        assert len(np.intersect1d(values, patterns)) == round(overlap * 10)
        assert len(np.union1d(values, patterns)) == 10
        whole = schemes.kapra_release(walks(80)[:, :6], 4, 2).release
        part = customized.customized(whole, np.asarray([0, 1, 2, 3]), np.asarray([2, 3, 4, 5]))
        assert np.isnan(part.low).any(axis=0).tolist() == [False] * 4 + [True] * 2
        filled = customized.estimated(part)
        assert not np.isnan(filled.low).any()


def test_a_finding_holds_in_part_only_if_more_than_half_of_its_cells_agree():
    assert verdicts.holds(True, "a").startswith("Holds:")
    assert verdicts.holds(False, "a").startswith("Does not hold:")
    assert verdicts.holds([True, True], "a").startswith("Holds:")
    assert verdicts.holds([True, True, False], "a").startswith("Holds in part (2 of 3 cells):")
    assert verdicts.holds([True, False], "a").startswith("Does not hold (1 of 2 cells):")
