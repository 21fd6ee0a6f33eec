"""Write results of checks as text, JSON, CSV, JUnit or GitHub annotations."""

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
    """Return a line for each check, its failing rows and a summary."""
    width = max((len(result.title) for result in report.results), default=0)
    lines = []
    for result in report.results:
        mark = _MARKS[result.verdict]
        lines.append(f"{mark:<5}  {result.title:<{width}}  {result.explained()}".rstrip())
        lines += [f"{'':<7}{_row_text(result, row)}" for row in result.rows]
        if hidden_rows := result.failing - len(result.rows) if result.rows else 0:
            lines.append(f"{'':<7}and {hidden_rows} more")
    lines += [*report.notes, report.summary()]
    return "".join(f"{_one_line(line)}\n" for line in lines)


def _row_text(result: Result, row: tuple[Any, ...]) -> str:
    """Return a failing row as 'column = value, ...'."""
    return ", ".join(f"{name} = {value}" for name, value in zip(result.columns, row, strict=True))


def _one_line(text: str) -> str:
    """Escape control characters, which could forge a line or control the terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _json(report: Report) -> str:
    """Return all results as a JSON object."""
    content = {
        "version": __version__,
        "status": report.status,
        "holds": report.holds,
        "counts": report.counts(),
        "notes": list(report.notes),
        "checks": [_as_dict(result) for result in report.results],
    }
    return json.dumps(content, indent=2, ensure_ascii=False, default=str) + "\n"


def _as_dict(result: Result) -> dict[str, Any]:
    """Return one result as a dictionary for JSON."""
    text = {
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
        text["rows"] = [dict(zip(result.columns, row, strict=True)) for row in result.rows]
    return text


_CSV_COLUMNS = ("name", "function", "severity", "verdict", "failing", "allowed", "figure", "value")


def _csv(report: Report) -> str:
    """Return a line for each figure, or one line for a check without figures."""
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
    """Return a JUnit suite with one test case for each check."""
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
        text = _printable(
            "\n".join([result.explained(), *(_row_text(result, r) for r in result.rows)])
        )
        if result.status == UNKNOWN:
            ElementTree.SubElement(case, "error", message=_printable(result.message))
        elif result.is_warning:
            ElementTree.SubElement(case, "system-out").text = f"warning: {text}"
        elif result.status == FAILS:
            short = _printable(result.explained())
            ElementTree.SubElement(case, "failure", message=short).text = text
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _printable(text: str) -> str:
    """Replace characters that XML cannot contain."""
    return "".join(
        c if c in "\t\n" or (c >= " " and c not in "\ufffe\uffff") else "�" for c in text
    )


def _github(report: Report) -> str:
    """Return a GitHub annotation for each check that fails or could not run."""
    lines = []
    for result in report.results:
        if result.status:
            level = "warning" if result.is_warning else "error"
            title = _escaped(result.title).replace(":", "%3A").replace(",", "%2C")
            text = _escaped(f"{result.verdict}: {result.explained()}")
            lines.append(f"::{level} title={title}::{text}")
    lines += [f"::notice::{_escaped(note)}" for note in report.notes]
    return "\n".join([*lines, report.summary()]) + "\n"


def _escaped(text: str) -> str:
    """Escape text for a GitHub workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


FORMATS: dict[str, Callable[[Report], str]] = {
    "text": _text,
    "json": _json,
    "csv": _csv,
    "junit": _junit,
    "github": _github,
}


def written(report: Report, format: str) -> str:
    """Return the report in one of the formats."""
    return FORMATS[format](report)
