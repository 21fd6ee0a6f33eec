"""``tanon-duck report KIND INPUT ... -o FILE.html``: a report on files, told by the exit status."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb

from tanon_duck.doors import files
from tanon_duck.doors.files.calls import call_of
from tanon_duck.doors.files.command import FunctionCommand, Request
from tanon_duck.doors.files.verdicts import NotToldError
from tanon_duck.errors import TanonError, file_exists, one_line
from tanon_duck.macros import catalog
from tanon_duck.macros.catalog import Function
from tanon_duck.quoting import Quoted
from tanon_duck.reporting.facts import Facts
from tanon_duck.reporting.making import ASKED, AUDIENCES, KINDS, Report

HELP = "a report to be filed, on one page of HTML, about a release of one of the kinds"
_STATUS = (
    "Exit status: 0 if all that was promised holds, 1 if not (the report is written all the same), "
    "2 if it could not be told. `tanon-duck report KIND --help` lists the arguments of a kind."
)


def run(words: Sequence[str]) -> int:
    """Ask for the facts of files, write the page, and say whether the promise holds."""
    parser = _parser()
    typed, rest = parser.parse_known_args(list(words))
    if typed.kind is None:
        parser.print_help()
        return 0 if "--help" in rest or "-h" in rest else 2
    target = None if typed.output == "-" else Path(typed.output)
    function = catalog.function(f"report_{typed.kind}")
    request = FunctionCommand(function).read(["--sql", *rest] if typed.sql else rest)
    if function.header.argument("queries") is not None:
        request.values.setdefault("queries", str(ASKED))
    try:
        if request.only_sql:
            print(files.sql_of(function, request))
            return 0
        _check(target, typed.force)
        rows = files.answered(function, request, _facts)
        made = Report(
            typed.kind, _arguments(request), Facts.read(rows, typed.audience), typed.audience
        )
        _write(made, target, typed.force)
    except (TanonError, duckdb.Error, OSError) as error:
        raise NotToldError(one_line(error)) from None
    if not request.quiet:
        print(f"tanon-duck: {made.page.verdict}", file=sys.stderr)
    return 0 if made.passed else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tanon-duck report",
        usage="%(prog)s KIND INPUT ... [arguments of the kind] [--audience A] [-o FILE.html]",
        description=f"Write {HELP}.",
        epilog=_STATUS,
        add_help=False,
        allow_abbrev=False,
    )
    add_arguments(parser)
    return parser


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What may be typed behind the command beside the arguments of a kind."""
    parser.add_argument("kind", metavar="KIND", nargs="?", choices=[*KINDS], help=", ".join(KINDS))
    parser.add_argument(
        "--audience",
        choices=AUDIENCES,
        default="owner",
        help="whom the edition is for: public holds no values and no small groups",
    )
    parser.add_argument(
        "-o", "--output", default="-", metavar="FILE.html", help="the page; - is standard output"
    )
    parser.add_argument("--force", action="store_true", help="replace FILE.html if it exists")
    parser.add_argument(
        "--sql", action="store_true", help="print the SQL of the facts that it reads, and stop"
    )


def _check(target: Path | None, force: bool) -> None:
    """An error before any work."""
    if target is None:
        return
    if target.suffix.lower() not in (".html", ".htm"):
        raise TanonError(f"{target} must end in .html, or be -")
    if not target.parent.is_dir():
        raise TanonError(f"there is no folder {target.parent}")
    if target.exists() and not force:
        raise TanonError(file_exists(target) + "; --force replaces it")


def _facts(
    connection: duckdb.DuckDBPyConnection, function: Function, request: Request
) -> list[tuple[Any, ...]]:
    return connection.execute(call_of(function, request)).fetchall()


def _arguments(request: Request) -> dict[str, Any]:
    inputs = {name: ", ".join(map(str, paths)) for name, paths in request.inputs.items()}
    return inputs | {name: Quoted(value) for name, value in request.values.items()}


def _write(made: Report, target: Path | None, force: bool) -> None:
    if target is None:
        sys.stdout.write(made.html)
        sys.stdout.flush()
    else:
        made.save(target, force)
