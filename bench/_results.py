"""Write bench/RESULTS.md: the latest full run of each topic, and the headline ratios.

Goals are read from bench/goals.toml whenever the page is written, and the stored figures are judged
by them. A changed goal needs no new run.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench import _goals, _report
from bench._measure import judge
from bench.harness import Goal, Judgement, Outcome, Row

GoalsOf = Callable[[str], Sequence[Goal]]

HERE = Path(__file__).parent
BEGIN, END = "<!-- headline ratios -->", "<!-- /headline ratios -->"


def keep(
    topic: str,
    result: dict[str, Any],
    charts: dict[str, str],
    folder: Path = HERE,
    goals_of: GoalsOf = _goals.goals_of,
) -> None:
    """Replace one topic's part of results.json and its charts, and write RESULTS.md anew."""
    store = folder / "results.json"
    known = json.loads(store.read_text()) if store.exists() else {}
    known[topic] = result
    pictures = folder / "charts"
    pictures.mkdir(exist_ok=True)
    for old in pictures.glob(f"{topic}-*.svg"):
        old.unlink()
    for name, svg in charts.items():
        (pictures / f"{topic}-{slug(name)}.svg").write_text(svg)
    store.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")
    render(folder, goals_of)


def render(folder: Path, goals_of: GoalsOf = _goals.goals_of) -> None:
    """Write RESULTS.md from results.json and the goals."""
    known = json.loads((folder / "results.json").read_text())
    (folder / "RESULTS.md").write_text(page(known, folder / "charts", goals_of))


def slug(name: str) -> str:
    """A name as part of a file name."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def page(known: dict[str, Any], pictures: Path, goals_of: GoalsOf = _goals.goals_of) -> str:
    """Return the whole of RESULTS.md."""
    outcomes = {
        topic: [rejudged(revive(stored), goals_of) for stored in known[topic]["outcomes"]]
        for topic in sorted(known)
    }
    blocks = [
        "# Results",
        "Written by `python -m bench --results`; do not edit. Seconds are the best of several "
        "interleaved runs, *spread* is the slowest above the best, *peak MB* is what a run adds in "
        "a process of its own. Compare ratios within one table, not seconds between machines.",
        "## Headline ratios",
        f"{BEGIN}\n{headline(outcomes)}\n{END}",
        "## Goals",
        goals(outcomes),
        "## Goals that changed",
        "A goal stands before its measurement and does not follow it. Every bound that changed:",
        changed_goals(),
    ]
    if verdicts := findings(outcomes):
        blocks += ["## What the papers found, and whether it is so here", verdicts]
    for topic, found in outcomes.items():
        machine = known[topic]["machine"] | {"took": f"{known[topic]['seconds']:.0f} s"}
        blocks.append(f"## {topic}")
        blocks.append("\n".join(f"- {name}: {value}" for name, value in machine.items()))
        for outcome in found:
            blocks += section(topic, outcome, pictures)
    return "\n\n".join(blocks) + "\n"


def rejudged(outcome: Outcome, goals_of: GoalsOf) -> Outcome:
    """Return the outcome, judged by the goals of today."""
    if outcome.rows:
        outcome.judgements = [judge(goal, outcome, False) for goal in goals_of(outcome.name)]
    return outcome


def section(topic: str, outcome: Outcome, pictures: Path) -> list[str]:
    """One comparison, table or chart."""
    blocks = [f"### {outcome.name}"]
    if outcome.finding:
        blocks.append(f"*{outcome.finding}*")
    if outcome.verdict:
        blocks.append(f"**{outcome.verdict}**")
    if outcome.protocol:
        blocks.append(f"Not as in the paper: {outcome.protocol}")
    picture = f"{topic}-{slug(outcome.name)}.svg"
    if (pictures / picture).exists():
        blocks.append(f"![{outcome.name}](charts/{picture})")
    return blocks + [_report.markdown_table(*part) for part in _report.parts(outcome)]


def headline(outcomes: dict[str, list[Outcome]]) -> str:
    """Return the goals that carry a headline as one small table, missed goals first."""
    shown = [
        judgement
        for found in outcomes.values()
        for outcome in found
        for judgement in outcome.judgements
        if judgement.headline
    ]
    cells = [
        [j.headline or "", _report.number(j.value), j.bound, _report.verdict_of(j).lower()]
        for j in sorted(shown, key=lambda j: j.met is True)
    ]
    return _report.markdown_table(["ratio", "measured", "goal", ""], cells)


def goals(outcomes: dict[str, list[Outcome]]) -> str:
    """Return a table of the goals that are not met, and how many are met."""
    judged = [(t, o.name, j) for t, found in outcomes.items() for o in found for j in o.judgements]
    missed = [
        [topic, name, j.goal, _report.number(j.value), j.bound, _report.verdict_of(j)]
        for topic, name, j in judged
        if j.met is not True
    ]
    met = f"{len(judged) - len(missed)} of {len(judged)} goals met."
    if not missed:
        return met
    header = ["topic", "comparison", "goal", "measured", "bound", ""]
    return f"Not met:\n\n{_report.markdown_table(header, missed)}\n\n{met}"


def changed_goals() -> str:
    """Return a table of every change of a bound, with its date and reason."""
    cells = [
        [
            change["comparison"],
            " / ".join(name for name in (change["of"], change["over"]) if name),
            change["from"],
            change["to"],
            change["date"],
            change["reason"],
        ]
        for change in _goals.changes()
    ]
    return _report.markdown_table(["comparison", "goal", "from", "to", "date", "reason"], cells)


def findings(outcomes: dict[str, list[Outcome]]) -> str:
    """Every finding that has a verdict, in a table."""
    cells = [
        [outcome.name, outcome.finding, outcome.verdict, outcome.protocol]
        for found in outcomes.values()
        for outcome in found
        if outcome.verdict
    ]
    header = ["experiment", "finding", "verdict", "not as in the paper"]
    return _report.markdown_table(header, cells) if cells else ""


def revive(data: dict[str, Any]) -> Outcome:
    """An outcome from its JSON."""
    fields = dict(data)
    fields["rows"] = [Row(**row) for row in data["rows"]]
    fields["judgements"] = [Judgement(**judgement) for judgement in data["judgements"]]
    return Outcome(**fields)
