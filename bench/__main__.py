"""Take every speed and quality figure of the project, as ratios within one run."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import time
import traceback
from pathlib import Path
from typing import Any

from bench import _machine, _report, _results
from bench._goals import goals_of
from bench._measure import perform
from bench._memory import Asker
from bench.harness import Bench, Comparison, Options, Outcome

HERE = Path(__file__).parent
# The load average lags behind: what this very command did a minute ago still counts.
QUIET = 1.5


def topics() -> list[str]:
    """The files beside this one that declare comparisons."""
    names = {path.stem for path in HERE.glob("*.py") if not path.stem.startswith("_")}
    return sorted(names - {"harness"})


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("topics", nargs="*", metavar="topic", help=f"of {', '.join(topics())}")
    parser.add_argument("--quick", action="store_true", help="tiny sizes, one run, nothing judged")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep all figures as JSON")
    parser.add_argument(
        "--results", action="store_true", help="write bench/RESULTS.md: these topics' part of it"
    )
    parser.add_argument(
        "--busy", action="store_true", help="let --results work on a machine that does other things"
    )
    parser.add_argument("--render", action="store_true", help="only write RESULTS.md anew")
    parser.add_argument("--data", type=Path, metavar="DIR", help="folder of optional data files")
    parser.add_argument("--no-memory", action="store_true", help="do not measure peak memory")
    parser.add_argument(
        "--patience", type=float, default=10.0, help="seconds for repeating one contender"
    )
    parsed = parser.parse_args(arguments)
    if unknown := set(parsed.topics) - set(topics()):
        parser.error(
            f"unknown topic {', '.join(sorted(unknown))}: choose from {', '.join(topics())}"
        )
    if parsed.quick and parsed.results:
        parser.error("--results keeps full runs only: leave --quick out")
    load = os.getloadavg()[0]
    if parsed.results and load > QUIET and not parsed.busy:
        parser.error(f"--results needs a quiet machine, the load is {load:.1f}; --busy overrides")
    return parsed


def run_topic(module: str, options: Options) -> tuple[list[Outcome], set[str], str]:
    """Outcomes of one topic, the peers it names, and what stopped it, if something did."""
    outcomes: list[Outcome] = []
    named: set[str] = set()

    def keep(outcome: Outcome) -> None:
        outcomes.append(outcome)
        print(_report.text(outcome), flush=True)

    def measure(comparison: Comparison) -> Outcome:
        named.update(*(contender.needs for contender in comparison.contenders))
        return perform(comparison, options, Asker(module, options))

    try:
        importlib.import_module(module).run(
            Bench(module, options, measure, keep, goals_of=goals_of)
        )
    except Exception as error:
        traceback.print_exc()
        return outcomes, named, f"{type(error).__name__}: {error}"
    return outcomes, named, ""


def has_failed(outcomes: list[Outcome]) -> bool:
    """Whether anything but a peer failed."""
    rows = [row for outcome in outcomes for row in outcome.rows]
    return any(row.status == "failed" and row.kind != "peer" for row in rows)


def main(arguments: list[str] | None = None) -> int:
    """Run the topics asked for; 1 when something of this project failed, however fast."""
    asked = parse(arguments)
    if asked.render:
        _results.render(HERE)
        return 0
    options = Options(
        asked.quick, not asked.no_memory and not asked.quick, asked.data, asked.patience
    )
    machine = _machine.describe()
    print("\n".join(f"{name}: {value}" for name, value in machine.items()), end="\n\n")
    report: dict[str, Any] = {"quick": asked.quick, "topics": {}}
    failures = 0
    for topic in asked.topics or topics():
        print(f"# {topic}", flush=True)
        started = time.perf_counter()
        outcomes, named, stopped = run_topic(f"bench.{topic}", options)
        failures += bool(stopped) or has_failed(outcomes)
        report["topics"][topic] = {
            "machine": machine | {"peers": _listed(_machine.versions_of(named))},
            "seconds": round(time.perf_counter() - started, 1),
            "stopped": stopped,
            "outcomes": [_report.as_json(outcome) for outcome in outcomes],
        }
        charts = {outcome.name: outcome.chart for outcome in outcomes if outcome.chart}
        if asked.results and not stopped:
            _results.keep(topic, report["topics"][topic], charts)
    if asked.json:
        asked.json.write_text(json.dumps(report, indent=1))
    return 1 if failures else 0


def _listed(versions: dict[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in versions.items()) or "none"


if __name__ == "__main__":
    sys.exit(main())
