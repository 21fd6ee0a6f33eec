"""The goals file: every goal belongs to a comparison, and every changed bound has its reason."""

from __future__ import annotations

import importlib
import itertools
import re
from pathlib import Path

import pytest

from bench import _goals, _results
from bench.__main__ import topics
from bench.harness import Bench, Comparison, Options, Outcome, Row


def declared_comparisons(data: Path) -> dict[str, Comparison]:
    """Return the comparisons of all topics by name; nothing is measured."""
    found: dict[str, Comparison] = {}

    def record(comparison: Comparison) -> None:
        assert comparison.name not in found
        found[comparison.name] = comparison

    for topic in topics():
        bench = Bench(
            topic,
            Options(memory=False, data=data),
            record,
            lambda _: None,
            build_tables=False,
            goals_of=_goals.goals_of,
        )
        importlib.import_module(f"bench.{topic}").run(bench)
    return found


def test_every_goal_belongs_to_a_comparison(tmp_path: Path):
    for name in ("basket_mushroom.parquet", "hospital_billing_events.parquet"):
        (tmp_path / name).touch()
    known = set(declared_comparisons(tmp_path))
    assert {entry["comparison"] for entry in _goals.entries()} <= known


@pytest.mark.parametrize("entry", [e for e in _goals.entries() if "changes" in e], ids=str)
def test_the_last_change_of_a_goal_is_its_bound(entry):
    changes = entry["changes"]
    for change in changes:
        assert set(change) == {"date", "from", "to", "reason"}
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", change["date"])
        assert change["reason"].endswith(".")
    for before, after in itertools.pairwise(changes):
        assert before["to"] == after["from"]
    bound = f"<= {entry['at_most']:g}" if "at_most" in entry else f">= {entry['at_least']:g}"
    assert changes[-1]["to"] == bound


def test_results_judge_stored_figures_by_the_goals_of_today():
    stored = Outcome("made up", rows=[Row("ours", "ours", 10, "ok", seconds=2.0)])
    (met,) = _results.rejudged(stored, lambda _: [_goals.Goal("ours", at_most=3)]).judgements
    (missed,) = _results.rejudged(stored, lambda _: [_goals.Goal("ours", at_most=1)]).judgements
    assert (met.met, missed.met) == (True, False)


def test_missed_goals_come_first():
    def goals(_: str) -> list[_goals.Goal]:
        return [
            _goals.Goal("ours", at_most=3, headline="the met one"),
            _goals.Goal("ours", at_most=1, headline="the missed one"),
        ]

    outcome = Outcome("made up", rows=[Row("ours", "ours", 10, "ok", seconds=2.0)])
    outcomes = {"topic": [_results.rejudged(outcome, goals)]}
    table = _results.headline(outcomes)
    assert table.index("the missed one") < table.index("the met one")
    assert _results.goals(outcomes).startswith("Not met:")
