'''How a topic declares what is compared; `python -m bench` measures and reports it.

A topic is a file `bench/<topic>.py` with a function `run(bench)`; nothing else lists it. One:

    """Counting distinct people per group."""

    import tanon_duck
    from bench.harness import Bench, Contender

    PLAIN = "select zip, count(distinct respondent) from r group by zip"
    OURS = "select zip, frequency from tanon.frequency_set('r', 'respondent', ['zip'])"
    SCAN = "select sum(respondent) from r"

    def people(rows):                            # set-up: never timed, called once per size
        con = tanon_duck.connect(config={"threads": 2})     # closed by the harness: has close()
        con.sql(f"create table r as select i % 999 as zip, i % 77 as respondent from "
                f"range({rows}) t(i)")
        return con

    def ours(con):                               # timed; its result goes to quality and same
        return con.sql(OURS).fetchall()

    def with_pandas(frame):                      # gets what its own prepare returned
        return list(frame.groupby("zip").respondent.nunique().items())

    def run(bench: Bench) -> None:
        bench.compare(
            "distinct people per group",
            setup=people,
            contenders=[
                Contender("tanon", ours, quality=lambda groups: {"groups": len(groups)}),
                Contender("plain SQL", lambda con: con.sql(PLAIN).fetchall(), "baseline"),
                Contender("scan", lambda con: con.sql(SCAN).fetchall(), "limit"),
                Contender(
                    "pandas", with_pandas, "peer",
                    needs=("pandas",),                      # reported as absent without it
                    prepare=lambda con: con.sql("from r").df(),     # once per size, not timed
                    largest=1_000_000,                      # reported as not run above this
                ),
            ],
            sizes=(1_000_000, 3_000_000, 10_000_000),       # three sizes give growth exponents
            quick_sizes=(1_000, 2_000, 4_000),              # --quick: keep it under a second
            same=("tanon", "plain SQL", "pandas"),          # must return equal rows in any order
        )

Kinds are ours, baseline, peer and limit. The goals of a comparison stand in bench/goals.toml, under
its name. A goal may name these figures: seconds (the best run), peak_mb (extra memory in a process
of its own), growth (slope of log seconds over log size), and every name that `quality` returns. A
goal with a `headline` appears in the first table of RESULTS.md: give one or two of a topic one.
Free tables (no clock) go to `bench.table(name, build, finding=..., verdict=..., chart=...)`. Heavy
work belongs into set-up, prepare or the callable given to `table`: `run` itself is executed again
for each measurement of memory. Contenders with `needs` are warmed up on the smallest quick size, so
that nobody is charged for imports and compilation.
'''

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Kind = Literal["ours", "baseline", "peer", "limit"]
Status = Literal["ok", "absent", "failed", "not run"]


@dataclass(frozen=True)
class Contender:
    """One way of doing the job; a failing peer is reported, another failure fails the command."""

    name: str
    run: Callable[[Any], Any]
    kind: Kind = "ours"
    needs: tuple[str, ...] = ()
    prepare: Callable[[Any], Any] | None = None
    reset: Callable[[Any], object] | None = None
    quality: Callable[[Any], Mapping[str, float]] | None = None
    largest: int | None = None
    runs: int = 5
    memory: bool = True


@dataclass(frozen=True)
class Goal:
    """A bound on a figure, on its ratio to that of `over`, or on its excess over `minus`."""

    of: str
    over: str | None = None
    minus: str | None = None
    figure: str = "seconds"
    at_most: float | None = None
    at_least: float | None = None
    hope: float | None = None
    size: int | None = None
    over_size: int | None = None
    headline: str | None = None

    def __post_init__(self) -> None:
        """Refuse a goal that says nothing or two things."""
        if (self.at_most is None) == (self.at_least is None):
            raise ValueError(f"Goal({self.of!r}): give at_most or at_least, one of the two")
        if self.over is not None and self.minus is not None:
            raise ValueError(f"Goal({self.of!r}): give over or minus, not both")


@dataclass
class Row:
    """What was measured of one contender at one size."""

    contender: str
    kind: Kind
    size: int
    status: Status
    note: str = ""
    seconds: float | None = None
    median: float | None = None
    spread: float | None = None
    runs: int = 0
    peak_mb: float | None = None
    quality: dict[str, float] = field(default_factory=dict)


@dataclass
class Judgement:
    """A goal, its figure, and whether it was met (None: not measured, or a quick run)."""

    goal: str
    value: float | None
    bound: str
    hope: float | None
    met: bool | None
    headline: str | None = None


@dataclass
class Outcome:
    """All that one comparison, table or chart leaves behind."""

    name: str
    unit: str = "rows"
    rows: list[Row] = field(default_factory=list)
    growth: dict[str, float] = field(default_factory=dict)
    judgements: list[Judgement] = field(default_factory=list)
    table: list[dict[str, Any]] = field(default_factory=list)
    finding: str = ""
    protocol: str = ""
    verdict: str = ""
    chart: str = ""


@dataclass(frozen=True)
class Comparison:
    """What `Bench.compare` was given."""

    name: str
    setup: Callable[[int], Any]
    contenders: Sequence[Contender]
    sizes: tuple[int, ...]
    goals: Sequence[Goal]
    same: tuple[str, ...]
    unit: str
    warm_up_size: int = 1


@dataclass(frozen=True)
class Options:
    """What the command line asked for."""

    quick: bool = False
    memory: bool = True
    data: Path | None = None
    patience: float = 10.0

    @property
    def longest(self) -> float:
        """Seconds after which nobody but ourselves is tried at a larger size."""
        return 1.0 if self.quick else 120.0


class Bench:
    """What a topic's `run` is given: `perform` measures, `keep` takes what comes out."""

    def __init__(
        self,
        topic: str,
        options: Options,
        perform: Callable[[Comparison], Outcome | None],
        keep: Callable[[Outcome], None],
        build_tables: bool = True,
        goals_of: Callable[[str], Sequence[Goal]] = lambda _: (),
    ) -> None:
        """Bind the declarations of one topic to a way of performing them.

        `goals_of` returns the goals of a comparison by its name.
        """
        self.topic = topic
        self.options = options
        self._perform = perform
        self._keep = keep
        self._build_tables = build_tables
        self._goals_of = goals_of

    @property
    def quick(self) -> bool:
        """Whether this is a smoke run."""
        return self.options.quick

    def data(self, name: str) -> Path | None:
        """A file of the folder given by --data, or None: then report what needs it as absent."""
        if self.options.data is None:
            return None
        path = self.options.data / name
        return path if path.exists() else None

    def compare(
        self,
        name: str,
        *,
        setup: Callable[[int], Any],
        contenders: Iterable[Contender],
        sizes: Sequence[int],
        quick_sizes: Sequence[int],
        same: Sequence[str] = (),
        unit: str = "rows",
    ) -> list[Row]:
        """Measure the contenders at every size, interleaved, and return the rows."""
        chosen = quick_sizes if self.quick else sizes
        comparison = Comparison(
            name,
            setup,
            list(contenders),
            tuple(sorted(chosen)),
            self._goals_of(name),
            tuple(same),
            unit,
            min(quick_sizes, default=1),
        )
        _check(comparison, sizes)
        outcome = self._perform(comparison)
        if outcome is None:
            return []
        self._keep(outcome)
        return outcome.rows

    def table(
        self,
        name: str,
        build: Callable[[], list[dict[str, Any]]],
        *,
        finding: str = "",
        protocol: str = "",
        verdict: Callable[[list[dict[str, Any]]], str] | None = None,
        chart: Callable[[list[dict[str, Any]]], str] | None = None,
        show: Callable[[list[dict[str, Any]]], list[dict[str, Any]]] | None = None,
    ) -> list[dict[str, Any]]:
        """Keep the rows that `build` returns, a one-line verdict on a finding, and an SVG.

        `protocol` lists every difference to the experiment of the paper: data, sizes, queries.
        `show` may bring the rows into another form for readers; verdict and chart see the first.
        """
        if not self._build_tables:
            return []
        progress(name)
        rows = build()
        self._keep(
            Outcome(
                name,
                table=show(rows) if show else rows,
                finding=finding,
                protocol=protocol,
                verdict=verdict(rows) if verdict and rows else "",
                chart=chart(rows) if chart and rows else "",
            )
        )
        return rows


def progress(what: str) -> None:
    """Say on standard error what is being measured, and after how much processor time."""
    print(f"  {time.process_time():7.1f} s  {what}", file=sys.stderr, flush=True)


def _check(comparison: Comparison, sizes: Sequence[int]) -> None:
    """Refuse declarations that could not be reported, in quick runs too."""
    names = [contender.name for contender in comparison.contenders]
    if len(set(names)) != len(names):
        raise ValueError(f"{comparison.name}: two contenders share a name: {names}")
    if not comparison.sizes or not sizes:
        raise ValueError(f"{comparison.name}: sizes and quick_sizes need at least one size each")
    for goal in comparison.goals:
        for asked in (goal.of, goal.over, goal.minus):
            if asked is not None and asked not in names:
                raise ValueError(
                    f"{comparison.name}: a goal names {asked!r}, contenders are {names}"
                )
        for size in (goal.size, goal.over_size):
            if size is not None and size not in sizes:
                raise ValueError(f"{comparison.name}: a goal names size {size}, sizes are {sizes}")
    for asked in comparison.same:
        if asked not in names:
            raise ValueError(f"{comparison.name}: same names {asked!r}, contenders are {names}")
