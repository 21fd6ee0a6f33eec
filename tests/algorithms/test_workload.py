"""The scores of a release against answers worked out row by row."""

import numpy as np
import pytest

from oracles.query_answers import chance, distance, normalize, pairwise, rebuilt
from oracles.simple_release import simple_release
from tanon_duck.algorithms import workload
from tanon_duck.algorithms.workload import Plan, Published, _Evaluation, evaluate


def release_of(series, k=6, p=3):
    rows = simple_release(series, k, p, 4)
    classes, class_of = {}, np.full(len(series), -1)
    for row in rows:
        key = (tuple(row["low"]), tuple(row["high"]), row["word"], row["level"])
        class_of[row["row"]] = classes.setdefault(key, len(classes))
    keys = list(classes)
    found = np.array([[ord(c) - ord("a") for c in key[2]] for key in keys], dtype=np.uint8)
    published = Published(
        np.array([key[0] for key in keys]),
        np.array([key[1] for key in keys]),
        found,
        np.array([key[3] for key in keys]),
        class_of,
    )
    return published, rows


def walks(rows, seed):
    series = np.random.default_rng(seed).normal(size=(rows, 5)).cumsum(axis=1)
    series[:3] = 1.5
    return series


def asked_ranges(ranges, query):
    return list(zip(ranges.columns[query], ranges.lower[query], ranges.upper[query], strict=True))


def satisfies(values, ranges):
    return all(least <= values[column] <= most for column, least, most in ranges)


@pytest.mark.parametrize("suppress", [0, 7])
def test_counts_equal_answers_worked_out_row_by_row(suppress):
    series = walks(60, 1)
    published, rows = release_of(series)
    published.class_of[20 : 20 + suppress] = -1
    rows = [row for row in rows if not 20 <= row["row"] < 20 + suppress]
    plan = Plan(12, 0.3, 0.2, 5)
    evaluation = _Evaluation(series, published, plan)
    near, ranged, counts, combined = evaluation.block(slice(0, 12))
    for query in range(plan.queries):
        wanted = evaluation.references[query]
        true_near = {i for i, own in enumerate(series) if distance(own, wanted) <= 0.3}
        told_near = {
            r["row"] for r in rows if distance(rebuilt(r["word"], r["level"]), wanted) <= 0.3
        }
        assert near[query].tolist() == [len(true_near), len(told_near), len(true_near & told_near)]
        ranges = asked_ranges(evaluation.pattern_ranges, query)
        truth = {i for i, own in enumerate(series) if satisfies(pairwise(normalize(own)), ranges)}
        rebuilt_rows = {r["row"]: rebuilt(r["word"], r["level"]) for r in rows}
        told = {row for row, own in rebuilt_rows.items() if satisfies(pairwise(own), ranges)}
        assert ranged[query].tolist() == [len(truth), len(told), len(truth & told)]
        ranges = asked_ranges(evaluation.value_ranges, query)
        inside = {i for i, own in enumerate(series) if satisfies(own, ranges)}
        chances = {r["row"]: chance(r["low"], r["high"], ranges) for r in rows}
        assert counts[query, 0] == len(inside)
        assert counts[query, 1] == pytest.approx(sum(chances.values()))
        assert combined[query, 0] == len(inside & true_near)
        assert combined[query, 1] == pytest.approx(sum(chances[row] for row in told_near))


def test_a_perfect_release_scores_perfectly():
    series = walks(300, 2)
    perfect = Published(
        series, series, np.zeros((300, 5), np.uint8), np.ones(300, np.int64), np.arange(300)
    )
    scores = {score.kind: score for score in evaluate(series, perfect, Plan(50, 0.2, 0.1, 0))}
    assert scores["value range"].relative_error == 0
    assert scores["pattern similarity"].recall < 0.2


def test_finer_letters_answer_better_and_the_queries_hang_on_the_seed_only(monkeypatch):
    series = walks(400, 3)
    coarse, _ = release_of(series, 12, 12)
    fine, _ = release_of(series, 3, 2)
    plan = Plan(200, 0.2, 0.1, 0)
    told = [{s.kind: s for s in evaluate(series, r, plan)} for r in (coarse, fine)]
    assert told[1]["pattern similarity"].recall > told[0]["pattern similarity"].recall + 0.1
    assert told[1]["value range"].relative_error < told[0]["value range"].relative_error
    monkeypatch.setattr(workload, "CELLS_AT_ONCE", 2000)
    in_small_blocks = {s.kind: s for s in evaluate(series, fine, plan)}
    assert in_small_blocks["complex"].relative_error == told[1]["complex"].relative_error
    assert in_small_blocks["pattern range"].recall == told[1]["pattern range"].recall
    one = _Evaluation(series, fine, plan).references
    np.testing.assert_array_equal(one, _Evaluation(series, coarse, plan).references)
    assert (one != _Evaluation(series, fine, Plan(200, 0.2, 0.1, 1)).references).any()


def test_ranges_select_about_what_was_asked():
    series = np.random.default_rng(0).random((5000, 4))
    perfect = Published(
        series, series, np.zeros((5000, 4), np.uint8), np.ones(5000, np.int64), np.arange(5000)
    )
    _, _, counts, _ = _Evaluation(series, perfect, Plan(300, 0.2, 0.05, 0)).block(slice(0, 300))
    assert counts[:, 0].mean() / 5000 == pytest.approx(0.05, abs=0.012)
