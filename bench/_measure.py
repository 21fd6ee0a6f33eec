"""Timing of one comparison: contenders interleaved, best of several, spread, growth, goals."""

from __future__ import annotations

import contextlib
import gc
import importlib.util
import math
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

from bench.harness import Comparison, Contender, Goal, Judgement, Options, Outcome, Row, progress

MemoryOf = Callable[[Comparison, Contender, int], float | None]


def perform(comparison: Comparison, options: Options, memory_of: MemoryOf) -> Outcome:
    """Measure every contender at every size and hold the goals against the figures."""
    outcome = Outcome(comparison.name, unit=comparison.unit)
    if comparison.sizes:
        warm_up(comparison, options)
    for size in comparison.sizes:
        progress(f"{comparison.name}, {size:,} {comparison.unit}")
        outcome.rows += _at_size(comparison, size, options, outcome.rows)
    if comparison.sizes and options.memory:
        _measure_memory(comparison, outcome, memory_of)
    for contender in comparison.contenders:
        slope = growth(outcome.rows, contender.name)
        if slope is not None:
            outcome.growth[contender.name] = slope
    outcome.judgements = [judge(goal, outcome, options.quick) for goal in comparison.goals]
    return outcome


def warm_up(comparison: Comparison, options: Options) -> None:
    """Let packages import and compile; what fails here will fail on the clock too."""
    size = comparison.warm_up_size
    cold = [c for c in comparison.contenders if c.needs and not absence(c, size, options)]
    if not cold:
        return
    with prepared(comparison, size) as state:
        for contender in cold:
            with contextlib.suppress(Exception):
                given = contender.prepare(state) if contender.prepare else state
                if contender.reset:
                    contender.reset(given)
                contender.run(given)


@contextlib.contextmanager
def prepared(comparison: Comparison, size: int) -> Iterator[Any]:
    """The state that set-up makes, closed afterwards when it can be closed."""
    state = comparison.setup(size)
    try:
        yield state
    finally:
        close = getattr(state, "close", None)
        if callable(close):
            close()


def absence(
    contender: Contender, size: int, options: Options, before: list[Row] | None = None
) -> Row | None:
    """Why this contender does not run at this size, if it does not."""
    missing = [name for name in contender.needs if importlib.util.find_spec(name) is None]
    if missing:
        note = f"{', '.join(missing)} is not installed"
        return Row(contender.name, contender.kind, size, "absent", note)
    if contender.largest is not None and size > contender.largest:
        note = f"not run above {contender.largest:,}"
        return Row(contender.name, contender.kind, size, "not run", note)
    slow = [row for row in before or [] if row.contender == contender.name and row.seconds]
    if slow and contender.kind != "ours" and (slow[-1].seconds or 0) > options.longest:
        note = f"took {slow[-1].seconds:.3g} s at {slow[-1].size:,}"
        return Row(contender.name, contender.kind, size, "not run", note)
    return None


class _Runner:
    """One contender at one size: its input, its times, its last result."""

    def __init__(self, contender: Contender, size: int, state: Any, absent: Row | None) -> None:
        self.contender = contender
        self.row = absent or Row(contender.name, contender.kind, size, "ok")
        self.times: list[float] = []
        self.result: Any = None
        if self.row.status == "ok":
            with self._failure_noted():
                for module in contender.needs:
                    importlib.import_module(module)
                self.input = contender.prepare(state) if contender.prepare else state

    @contextlib.contextmanager
    def _failure_noted(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            self.row.status = "failed"
            first_line = (str(error).splitlines() or [""])[0]
            self.row.note = f"{type(error).__name__}: {first_line[:160]}"

    def wants_another(self, options: Options) -> bool:
        """Whether it still works and another run fits into its patience."""
        if self.row.status != "ok":
            return False
        if not self.times:
            return True
        if options.quick:
            return False
        wanted = self.contender.runs if self.times[0] > 0.05 else 4 * self.contender.runs
        fits = sum(self.times) + min(self.times) <= options.patience
        return len(self.times) < wanted and fits

    def once(self) -> None:
        """Run it once with the clock on."""
        with self._failure_noted():
            if self.contender.reset:
                self.contender.reset(self.input)
            self.result = None
            gc.collect()
            started = time.perf_counter()
            self.result = self.contender.run(self.input)
            self.times.append(time.perf_counter() - started)
            # A topic may take an hour: whoever stops it keeps what was measured.
            progress(f"  {self.times[-1]:8.3f} s  {self.contender.name}")

    def finish(self) -> Row:
        """The row of figures."""
        row = self.row
        if row.status == "ok":
            row.runs = len(self.times)
            row.seconds, row.median = min(self.times), statistics.median(self.times)
            row.spread = (max(self.times) - row.seconds) / row.seconds
            if self.contender.quality:
                with self._failure_noted():
                    figures = self.contender.quality(self.result)
                    row.quality = {name: float(value) for name, value in figures.items()}
        return row


def _at_size(comparison: Comparison, size: int, options: Options, before: list[Row]) -> list[Row]:
    with prepared(comparison, size) as state:
        runners = [
            _Runner(contender, size, state, absence(contender, size, options, before))
            for contender in comparison.contenders
        ]
        turn = 0
        while waiting := [runner for runner in runners if runner.wants_another(options)]:
            # Nobody always follows the same neighbour, whose caches and garbage it would inherit.
            shift = turn % len(waiting)
            for runner in waiting[shift:] + waiting[:shift]:
                runner.once()
            turn += 1
        rows = [runner.finish() for runner in runners]
        _demand_same(comparison, runners)
        return rows


def _demand_same(comparison: Comparison, runners: list[_Runner]) -> None:
    """Fail the rows whose result differs from that of the first contender named in `same`."""
    asked = [r for name in comparison.same for r in runners if r.contender.name == name]
    asked = [runner for runner in asked if runner.row.status == "ok"]
    for runner in asked[1:]:
        if _in_any_order(runner.result) != _in_any_order(asked[0].result):
            runner.row.status = "failed"
            runner.row.note = f"its result differs from that of {asked[0].contender.name}"


def _in_any_order(result: Any) -> Any:
    if isinstance(result, list | tuple):
        return sorted((tuple(row) if isinstance(row, list) else row for row in result), key=repr)
    return result


def _measure_memory(comparison: Comparison, outcome: Outcome, memory_of: MemoryOf) -> None:
    """Peak memory at the largest size that each contender was run at."""
    for contender in comparison.contenders:
        done = [row for row in outcome.rows if row.contender == contender.name]
        done = [row for row in done if row.status == "ok"]
        if done and contender.memory:
            done[-1].peak_mb = memory_of(comparison, contender, done[-1].size)


def growth(rows: list[Row], contender: str) -> float | None:
    """Least-squares slope of log seconds over log size, from three sizes on."""
    points = [
        (math.log(row.size), math.log(row.seconds))
        for row in rows
        if row.contender == contender and row.status == "ok" and row.seconds and row.size > 0
    ]
    if len(points) < 3:
        return None
    return statistics.linear_regression(*zip(*points, strict=True)).slope


def figure_of(outcome: Outcome, contender: str, figure: str, size: int | None) -> float | None:
    """One figure of one contender, at the largest measured size unless told otherwise."""
    if figure == "growth":
        return outcome.growth.get(contender)
    rows = [row for row in outcome.rows if row.contender == contender and row.status == "ok"]
    if size is not None:
        rows = [row for row in rows if row.size == size]
    if not rows:
        return None
    return (
        getattr(rows[-1], figure)
        if figure in ("seconds", "median", "peak_mb")
        else rows[-1].quality.get(figure)
    )


def judge(goal: Goal, outcome: Outcome, quick: bool) -> Judgement:
    """The figure a goal speaks of, and whether the goal is met; a quick run judges nothing."""
    size = None if quick else goal.size
    other = goal.over or goal.minus
    if other and size is None and not quick:
        size = _largest_common(outcome, goal.of, other) if goal.over_size is None else None
    value = figure_of(outcome, goal.of, goal.figure, size)
    if other:
        over_size = None if quick else goal.over_size or size
        reference = figure_of(outcome, other, goal.figure, over_size)
        if value is None or reference is None or (goal.over and reference == 0):
            value = None
        else:
            value = value / reference if goal.over else value - reference
    met = None
    if value is not None and not quick:
        met = value <= goal.at_most if goal.at_most is not None else value >= (goal.at_least or 0)
    bound = f"<= {goal.at_most:g}" if goal.at_most is not None else f">= {goal.at_least:g}"
    return Judgement(_spoken(goal), value, bound, goal.hope, met, goal.headline)


def _largest_common(outcome: Outcome, one: str, other: str) -> int | None:
    """The largest size that both contenders were run at: a ratio compares like with like."""
    sizes = [
        {row.size for row in outcome.rows if row.contender == name and row.status == "ok"}
        for name in (one, other)
    ]
    return max(sizes[0] & sizes[1], default=None)


def _spoken(goal: Goal) -> str:
    figure = goal.figure.replace("_", " ")
    at = f" at {goal.size:,}" if goal.size else ""
    if goal.over:
        over_at = f" at {goal.over_size:,}" if goal.over_size else ""
        return f"{figure}: {goal.of}{at} / {goal.over}{over_at}"
    if goal.minus:
        return f"{figure}: {goal.of}{at} - {goal.minus}"
    return f"{figure}: {goal.of}{at}"
