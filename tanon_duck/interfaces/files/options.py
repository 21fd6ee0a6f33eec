"""Add options to parsers: the arguments of a function, output, reading, roles; format help."""

from __future__ import annotations

import argparse
import shutil
import textwrap

from tanon_duck.checking.formats import FORMATS
from tanon_duck.interfaces.files.file_formats import STREAMED
from tanon_duck.macros.header import Argument


def option(argument: Argument) -> str:
    """Return the option of an argument: ``--max-suppression``."""
    return "--" + argument.name.replace("_", "-")


def add_option(
    group: argparse._ActionsContainer, argument: Argument, metavar: str, several: bool = False
) -> None:
    """Add the option of one argument; with ``several``, it accepts several values in a row."""
    spelt = [f"-{argument.name}"] if len(argument.name) == 1 else []
    spelt.append(option(argument))
    told = argument.meaning
    if argument.default and not argument.is_optional:
        told += f" (default: {argument.default})"
    if argument.kind.is_switch:
        group.add_argument(
            *spelt,
            dest=argument.name,
            action=argparse.BooleanOptionalAction,
            help=percent(told),
        )
        return
    group.add_argument(
        *spelt,
        dest=argument.name,
        metavar=metavar,
        action="extend" if several else "append",
        nargs="+" if several else None,
        choices=argument.kind.choices or None,
        help=percent(told),
    )


def add_output(
    parser: argparse.ArgumentParser, is_check: bool = False, is_release: bool = False
) -> None:
    """Add the options of the result: file, format, manifest, messages."""
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUTPUT",
        default="-",
        help="the file to write, - (the default) for standard output",
    )
    parser.add_argument("--force", action="store_true", help="replace OUTPUT if it exists")
    parser.set_defaults(manifest=is_release)
    if is_release:
        parser.add_argument(
            "--no-manifest",
            dest="manifest",
            action="store_false",
            help="write no OUTPUT.manifest.json beside OUTPUT: what left, from what and by which "
            "rules, what was checked; without a value of anybody",
        )
    parser.add_argument("--sql", action="store_true", help="print the SQL that runs, and stop")
    parser.add_argument(
        "--quiet", action="store_true", help="say nothing on standard error but errors"
    )
    streamed = f"what standard output holds: {', '.join(STREAMED)} (default: csv)"
    if is_check:
        streamed = f"a report of whether it holds instead of rows: {', '.join(FORMATS)}"
        add_values(parser)
        add_least_rows(parser)
    parser.add_argument("--format", metavar="FORMAT", help=streamed)


def add_page(parser: argparse.ArgumentParser) -> None:
    """Add where the page of a report goes, and whom it is for."""
    parser.add_argument(
        "--audience",
        choices=("owner", "public"),
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
    parser.add_argument(
        "--quiet", action="store_true", help="say nothing on standard error but errors"
    )
    parser.set_defaults(format=None, manifest=False)


def add_values(parser: argparse.ArgumentParser) -> None:
    """Add ``--values``: a report then also shows rows."""
    parser.add_argument(
        "--values",
        dest="show_values",
        action="store_true",
        help="a report also shows the first rows that break a promise: values of rare groups",
    )


def add_least_rows(parser: argparse.ArgumentParser) -> None:
    """Add ``--min-rows`` and ``--allow-empty``, the number of rows that a check requires."""
    parser.add_argument(
        "--min-rows",
        type=int,
        metavar="N",
        help="exit with 2 if INPUT has fewer rows (default: 1)",
    )
    parser.add_argument("--allow-empty", action="store_true", help="an INPUT without rows may pass")


def add_reading(parser: argparse.ArgumentParser) -> None:
    """Add the options of reading files: text columns, encoding, table."""
    parser.add_argument(
        "--as-text",
        metavar="COLUMN,...",
        action="append",
        help="columns of CSV INPUT that are text even where they look like numbers",
    )
    parser.add_argument("--encoding", default="", help="of CSV and JSON INPUT, such as latin-1")
    parser.add_argument("--table", default="", help="the table of a database INPUT")


def add_roles(parser: argparse.ArgumentParser) -> None:
    """Add ``--roles``, the file that declares the roles of columns."""
    parser.add_argument(
        "--roles",
        metavar="FILE",
        help="a TOML file of what the columns of INPUT are (zip = 'quasi-identifier; prefixes 3'): "
        "options of columns may then be left out; a database INPUT may tell by itself",
    )


def with_dashes(word: str, known: list[str]) -> str:
    """Accept the SQL spelling of an option: `--min_support` becomes `--min-support`."""
    name, equals, value = word.partition("=")
    dashed = name.replace("_", "-")
    return dashed + equals + value if dashed in known else word


def percent(text: str) -> str:
    """Escape percent signs: argparse fills in placeholders of usage and help only."""
    return text.replace("%", "%%")


def width() -> int:
    """Return the greatest length of a line of help."""
    return max(shutil.get_terminal_size().columns - 1, 40)


def wrapped(text: str, indent: str = "", first: str | None = None) -> str:
    """Wrap a paragraph to the width of the terminal; indent all lines but the first."""
    return textwrap.fill(
        text,
        width(),
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def paragraphs(text: str) -> str:
    """Wrap each paragraph of a text; keep indented blocks."""
    return "\n\n".join(
        part if "\n " in f"\n{part}" else wrapped(part) for part in text.split("\n\n")
    )


def two_columns(rows: list[tuple[str, str]], indent: str = "  ") -> str:
    """Format names and meanings as two aligned columns."""
    longest = max((len(name) for name, _ in rows), default=0)
    column = min(longest, 28) + len(indent) + 2
    lines = []
    for name, meaning in rows:
        start = f"{indent}{name}".ljust(column)
        if len(start) > column or start[-2:] != "  ":
            lines.append(start.rstrip())
            start = " " * column
        lines.append(wrapped(meaning, " " * column, start))
    return "\n".join(lines)
