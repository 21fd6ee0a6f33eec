"""A report for people and for machines: text, JSON, CSV, JUnit and annotations for GitHub."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

from tanon_duck._version import __version__
from tanon_duck.checking.results import FAILS, UNKNOWN, Report, Result

_MARKS = {"holds": "ok", "does not hold": "FAIL", "could not tell": "ERROR", "warning": "warn"}


def _text(report: Report) -> str:
    width = max((len(result.title) for result in report.results), default=0)
    lines = []
    for result in report.results:
        mark = _MARKS[result.verdict]
        lines.append(f"{mark:<5}  {result.title:<{width}}  {result.explained()}".rstrip())
        lines += [f"{'':<7}{_shown(result, row)}" for row in result.rows]
        if left := result.failing - len(result.rows) if result.rows else 0:
            lines.append(f"{'':<7}and {left} more")
    lines += [*report.notes, report.summary()]
    return "".join(f"{_one_line(line)}\n" for line in lines)


def _shown(result: Result, row: tuple[Any, ...]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in zip(result.columns, row, strict=True))


def _one_line(text: str) -> str:
    """What a line break or a terminal's commands in a value would pass for is shown as it is."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _json(report: Report) -> str:
    whole = {
        "version": __version__,
        "status": report.status,
        "holds": report.holds,
        "counts": report.counts(),
        "notes": list(report.notes),
        "checks": [_as_dict(result) for result in report.results],
    }
    return json.dumps(whole, indent=2, ensure_ascii=False, default=str) + "\n"


def _as_dict(result: Result) -> dict[str, Any]:
    told = {
        "name": result.title,
        "function": result.function,
        "severity": result.severity,
        "verdict": result.verdict,
        "status": result.status,
        "failing": result.failing,
        "allowed": result.allowed,
        "figures": [
            {"name": f.name, "value": f.value, "sign": f.sign, "bound": f.bound}
            for f in result.figures
        ],
        "message": result.message,
        "arguments": dict(result.arguments),
    }
    if result.rows:
        told["rows"] = [dict(zip(result.columns, row, strict=True)) for row in result.rows]
    return told


_CSV_COLUMNS = ("name", "function", "severity", "verdict", "failing", "allowed", "figure", "value")


def _csv(report: Report) -> str:
    """A line for each figure; one for a check without any."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow([*_CSV_COLUMNS, "sign", "bound", "message"])
    for result in report.results:
        start = [result.title, result.function, result.severity, result.verdict]
        start += [str(result.failing), str(result.allowed)]
        for figure in result.figures or (None,):
            cells = (
                [figure.name, figure.value, figure.sign, figure.bound]
                if figure
                else ["", None, "", None]
            )
            writer.writerow([*start, *cells, result.message])
    return written.getvalue()


def _junit(report: Report) -> str:
    found = [result.status for result in report.results]
    failures = sum(
        s == FAILS and not r.is_warning for s, r in zip(found, report.results, strict=True)
    )
    suite = ElementTree.Element(
        "testsuite",
        name="tanon-duck check",
        tests=str(len(found)),
        failures=str(failures),
        errors=str(found.count(UNKNOWN)),
    )
    for result in report.results:
        case = ElementTree.SubElement(
            suite, "testcase", classname=result.function, name=_printable(result.title)
        )
        told = _printable(
            "\n".join([result.explained(), *(_shown(result, r) for r in result.rows)])
        )
        if result.status == UNKNOWN:
            ElementTree.SubElement(case, "error", message=_printable(result.message))
        elif result.is_warning:
            ElementTree.SubElement(case, "system-out").text = f"warning: {told}"
        elif result.status == FAILS:
            short = _printable(result.explained())
            ElementTree.SubElement(case, "failure", message=short).text = told
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _printable(text: str) -> str:
    """XML has no way to write most control characters."""
    return "".join(
        c if c in "\t\n" or (c >= " " and c not in "\ufffe\uffff") else "�" for c in text
    )


def _github(report: Report) -> str:
    lines = []
    for result in report.results:
        if result.status:
            level = "warning" if result.is_warning else "error"
            title = _escaped(result.title).replace(":", "%3A").replace(",", "%2C")
            told = _escaped(f"{result.verdict}: {result.explained()}")
            lines.append(f"::{level} title={title}::{told}")
    lines += [f"::notice::{_escaped(note)}" for note in report.notes]
    return "\n".join([*lines, report.summary()]) + "\n"


def _escaped(text: str) -> str:
    """As a workflow command wants it: one line."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


FORMATS: dict[str, Callable[[Report], str]] = {
    "text": _text,
    "json": _json,
    "csv": _csv,
    "junit": _junit,
    "github": _github,
}


def written(report: Report, format: str) -> str:
    """The report in one of the formats."""
    return FORMATS[format](report)
