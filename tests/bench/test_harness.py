"""The harness measures fake contenders: no test here asserts a time."""

from __future__ import annotations

import math
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from bench import harness
from bench._measure import growth, judge, perform
from bench._memory import Asker
from bench.harness import Bench, Comparison, Contender, Goal, Options, Outcome, Row

QUICK = Options(quick=True, memory=False)
FULL = Options(quick=False, memory=False, patience=0.2)


def outcomes_of(
    options: Options,
    *,
    memory_of: Any = lambda *_: None,
    goals: tuple[Goal, ...] = (),
    **declared: Any,
) -> Outcome:
    kept: list[Outcome] = []
    bench = Bench(
        "fake",
        options,
        lambda c: perform(c, options, memory_of),
        kept.append,
        goals_of={"fakes": goals}.__getitem__,
    )
    defaults = {"setup": lambda n: n, "sizes": (10, 20, 40), "quick_sizes": (1, 2, 3)}
    bench.compare("fakes", **(defaults | declared))
    return kept[0]


def rows_with(seconds: dict[str, list[float]], **quality: dict[str, float]) -> Outcome:
    outcome = Outcome("made up")
    for name, times in seconds.items():
        for size, time in zip((10, 100, 1000), times, strict=False):
            row = Row(name, "ours", size, "ok", seconds=time, quality=quality.get(name, {}))
            outcome.rows.append(row)
        if (slope := growth(outcome.rows, name)) is not None:
            outcome.growth[name] = slope
    return outcome


def test_every_contender_runs_at_every_size_on_its_own_input():
    seen = []
    outcomes_of(
        QUICK,
        contenders=[
            Contender("plain", lambda given: seen.append(("plain", given))),
            Contender("converted", lambda given: seen.append(given), prepare=lambda n: ("mine", n)),
        ],
    )
    assert seen == [
        *[("plain", 1), ("mine", 1), ("plain", 2), ("mine", 2), ("plain", 3), ("mine", 3)]
    ]


def test_runs_are_interleaved_and_nobody_always_starts():
    order: list[str] = []
    outcomes_of(
        FULL,
        sizes=(5,),
        contenders=[Contender(name, lambda _, n=name: order.append(n), runs=1) for name in "abc"],
    )
    rounds = ["".join(order[i : i + 3]) for i in range(0, len(order), 3)]
    assert rounds == ["abc", "bca", "cab", "abc"]


def test_reset_comes_before_every_run_and_state_is_closed():
    log: list[str] = []

    class State:
        def close(self) -> None:
            log.append("close")

    outcomes_of(
        FULL,
        sizes=(5,),
        setup=lambda _: State(),
        contenders=[
            Contender("a", lambda _: log.append("run"), reset=lambda _: log.append("reset"))
        ],
    )
    assert log == [*["reset", "run"] * (len(log) // 2), "close"]
    assert len(log) >= 5


def test_what_cannot_run_is_reported_with_its_reason():
    outcome = outcomes_of(
        QUICK,
        contenders=[
            Contender("needs", lambda _: 1, needs=("no_such_module_anywhere",), kind="peer"),
            Contender("small", lambda _: 1, largest=2),
            Contender("broken", lambda _: 1 / 0),
        ],
    )
    last = {row.contender: (row.status, row.note) for row in outcome.rows}
    assert last["needs"] == ("absent", "no_such_module_anywhere is not installed")
    assert last["small"] == ("not run", "not run above 2")
    assert last["broken"] == ("failed", "ZeroDivisionError: division by zero")
    assert [row.status for row in outcome.rows if row.contender == "small"] == [
        *["ok", "ok", "not run"]
    ]


def test_a_package_is_warmed_up_on_the_smallest_input_and_that_is_not_timed():
    seen: list[int] = []
    outcome = outcomes_of(
        FULL,
        quick_sizes=(3, 2),
        contenders=[
            Contender("package", seen.append, kind="peer", needs=("json",), runs=1),
            Contender("absent", seen.append, kind="peer", needs=("no_such_module_anywhere",)),
            Contender("ours", lambda _: None),
        ],
    )
    assert seen[0] == 2
    assert set(seen[1:]) == {10, 20, 40}
    assert len(seen) - 1 == sum(row.runs for row in outcome.rows if row.contender == "package")


def test_a_slow_peer_is_not_tried_at_larger_sizes_but_we_are(monkeypatch: pytest.MonkeyPatch):
    clock = iter(range(0, 10_000, 5))
    monkeypatch.setattr("time.perf_counter", lambda: float(next(clock)))
    outcome = outcomes_of(
        QUICK, contenders=[Contender("peer", id, kind="peer"), Contender("ours", id)]
    )
    status = [(row.contender, row.status, row.note) for row in outcome.rows]
    assert status[2:4] == [("peer", "not run", "took 5 s at 1"), ("ours", "ok", "")]
    assert [row[1] for row in status if row[0] == "ours"] == ["ok"] * 3


def test_different_results_fail_the_second_contender():
    outcome = outcomes_of(
        QUICK,
        same=("a", "b", "c"),
        contenders=[
            Contender("a", lambda _: [(1, 2), (3, 4)]),
            Contender("b", lambda _: [(3, 4), (1, 2)]),
            Contender("c", lambda _: [(3, 4), (1, 5)]),
        ],
    )
    assert [row.status for row in outcome.rows[:3]] == ["ok", "ok", "failed"]
    assert "differs from that of a" in outcome.rows[2].note


def test_quality_stands_beside_speed():
    outcome = outcomes_of(
        QUICK,
        contenders=[Contender("a", lambda n: n * 2, quality=lambda result: {"loss": result})],
    )
    assert [row.quality for row in outcome.rows] == [{"loss": 2.0}, {"loss": 4.0}, {"loss": 6.0}]


def test_growth_is_the_slope_over_three_sizes_and_silent_over_two():
    outcome = rows_with({"square": [1e-4, 1e-2, 1.0], "two": [1.0, 2.0]})
    assert math.isclose(outcome.growth["square"], 2.0)
    assert "two" not in outcome.growth


@pytest.mark.parametrize(
    ("goal", "value", "met"),
    [
        (Goal("a", over="b", at_most=0.6), 0.5, True),
        (Goal("a", over="b", at_most=0.4), 0.5, False),
        (Goal("b", over="a", at_least=2), 2.0, True),
        (Goal("b", over="a", at_least=2.1), 2.0, False),
        (Goal("a", minus="b", at_most=0.0), -4.0, True),
        (Goal("a", figure="loss", at_most=0.25), 0.3, False),
        (Goal("a", figure="growth", at_most=1.0), math.log10(4) / 2, True),
        (Goal("a", over="a", size=1000, over_size=10, at_most=4), 4.0, True),
        (Goal("a", over="b", size=10, at_most=0.1), 0.1, True),
        (Goal("a", over="short", at_most=2), 1.0, True),
        (Goal("a", over="missing", at_most=2), None, None),
    ],
)
def test_goals(goal: Goal, value: float | None, met: bool | None):
    outcome = rows_with(
        {"a": [1.0, 2.0, 4.0], "b": [10.0, 9.0, 8.0], "short": [1.0, 2.0]},
        a={"loss": 0.3},
    )
    judgement = judge(goal, outcome, quick=False)
    assert judgement.value == (None if value is None else pytest.approx(value))
    assert judgement.met is met


def test_a_quick_run_judges_nothing():
    outcome = rows_with({"a": [5.0, 5.0, 5.0]})
    assert judge(Goal("a", at_most=1), outcome, quick=True).met is None


@pytest.mark.parametrize(
    "declared",
    [
        {"contenders": [Contender("a", id), Contender("a", id)]},
        {"contenders": [Contender("a", id)], "goals": (Goal("a", over="b", at_most=1),)},
        {"contenders": [Contender("a", id)], "goals": (Goal("a", size=7, at_most=1),)},
        {"contenders": [Contender("a", id)], "same": ("a", "b")},
        {"contenders": [Contender("a", id)], "sizes": ()},
    ],
)
def test_declarations_that_could_not_be_reported_are_refused_in_quick_runs_too(declared):
    with pytest.raises(ValueError, match="fakes: "):
        outcomes_of(QUICK, **declared)


def test_a_goal_needs_exactly_one_bound():
    with pytest.raises(ValueError, match="at_most or at_least"):
        Goal("a")
    with pytest.raises(ValueError, match="at_most or at_least"):
        Goal("a", at_most=1, at_least=2)


def test_peak_memory_comes_from_a_process_that_runs_only_the_one_contender(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "memory_topic.py").write_text(
        textwrap.dedent(
            """
            import pathlib
            from bench.harness import Contender

            def hog(megabytes):
                return b"x" * (megabytes * 2**20)

            def run(bench):
                bench.table("never in the child", lambda: 1 / 0)
                bench.compare("m", setup=lambda n: n, sizes=(1, 64), quick_sizes=(1,), contenders=[
                    Contender("hog", hog),
                    Contender("light", lambda n: n),
                    Contender("poison", lambda n: 1 / 0),
                ])
            """
        )
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    options = Options(quick=False)
    asker = Asker("memory_topic", options)
    comparison = Comparison("m", lambda n: n, (), (64,), (), (), "rows")
    peaks = {
        name: asker(comparison, Contender(name, id), 64) for name in ("hog", "light", "poison")
    }
    assert peaks["poison"] is None
    assert peaks["hog"] is not None
    assert 60 <= peaks["hog"] <= 80
    assert peaks["light"] is not None
    assert peaks["light"] < 8


def test_memory_is_asked_for_the_largest_size_that_ran():
    asked = []

    def memory_of(_: Comparison, contender: Contender, size: int) -> float:
        asked.append((contender.name, size))
        return 7.0

    outcome = outcomes_of(
        Options(quick=True, memory=True),
        memory_of=memory_of,
        contenders=[
            Contender("a", id),
            Contender("small", id, largest=2),
            Contender("no", id, memory=False),
        ],
    )
    assert asked == [("a", 3), ("small", 2)]
    assert [row.peak_mb for row in outcome.rows if row.contender == "a"] == [None, None, 7.0]


def test_the_example_in_the_documentation_runs():
    text = harness.__doc__ or ""
    code = text[text.index('    """Counting') : text.index("\nKinds are ours")]
    module: dict[str, Any] = {}
    exec(textwrap.dedent(code), module)
    kept: list[Outcome] = []
    module["run"](
        Bench("example", QUICK, lambda c: perform(c, QUICK, lambda *_: None), kept.append)
    )
    assert kept[0].rows[0].status == "ok", kept[0].rows
    status = {row.contender: row.status for row in kept[0].rows}
    assert status.pop("pandas") in ("ok", "absent", "not run")
    assert set(status.values()) == {"ok"}, kept[0].rows
