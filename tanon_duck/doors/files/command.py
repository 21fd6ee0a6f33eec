"""The command line of one function, made from its header."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tanon_duck.doors.files.examples import (
    column_arguments,
    example_line,
    main_relation,
    option,
)
from tanon_duck.doors.files.formats import ENDINGS, format_of
from tanon_duck.doors.files.inputs import check_input
from tanon_duck.doors.files.outputs import Output
from tanon_duck.errors import TanonError, nearest
from tanon_duck.macros.catalog import Function
from tanon_duck.macros.header import Argument
from tanon_duck.macros.kinds.typed import split_list
from tanon_duck.quoting import identifier, literal
from tanon_duck.secret import VARIABLE

_READING = f"""\
Files are known by how their names end:
{ENDINGS}; CSV and JSON also with .gz.
CSV needs a first line with names. Several INPUTs with the same columns are read as one table.
Lists: --qi zip,sex or --qi zip --qi sex; a name with a comma goes in double quotes within."""


@dataclass
class Request:
    """What was asked for: files to load under names, SQL values, and where the result goes."""

    output: Output
    inputs: dict[str, list[Path]] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    as_text: list[str] = field(default_factory=list)
    only_sql: bool = False  # the SQL is asked for, not what it gives


class FunctionCommand:
    """Reads the words after the name of one function; leaves with status 2 for a wrong call."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._main = main_relation(function)
        self._columns = column_arguments(function)
        self._parser = self._new_parser()

    def read(self, words: Sequence[str]) -> Request:
        """The request that these words make."""
        known = [text for action in self._parser._actions for text in action.option_strings]
        words = [_with_dashes(word, known) for word in words]
        typed, unknown = self._parser.parse_known_intermixed_args(words)
        if unknown:
            self._parser.error(f"unknown: {unknown[0]}{nearest(unknown[0].split('=')[0], known)}")
        try:
            return self._request(typed)
        except ValueError as error:
            self._parser.error(str(error))

    def _request(self, typed: argparse.Namespace) -> Request:
        target = None if typed.output == "-" else Path(typed.output)
        _refuse_two_secrets(self._function)
        request = Request(Output(target, typed.force), as_text=split_list(typed.as_text or []))
        request.only_sql = typed.sql
        if self._takes_input():
            name = self._main.name if self._main else "source"
            if not typed.input:
                raise ValueError("INPUT is missing: the files to read")
            request.inputs[name] = [Path(text) for text in typed.input]
        elif typed.input:
            self._take_for_first_argument(typed)
        for argument in self._typed_arguments():
            self._take(argument, getattr(typed, argument.name), request)
        if request.only_sql:
            return request
        for path in [path for paths in request.inputs.values() for path in paths]:
            check_input(path)
        request.output.check()
        return request

    def _take_for_first_argument(self, typed: argparse.Namespace) -> None:
        """Without files to read, `tanon-duck help k_anonymity` means what it seems to mean."""
        first = next(iter(self._function.header.arguments), None)
        if first is None or getattr(typed, first.name) is not None:
            raise ValueError(f"{self._function.name} reads no INPUT, got {typed.input[0]}")
        setattr(typed, first.name, typed.input)

    def _take(self, argument: Argument, typed: list[str] | bool | None, request: Request) -> None:
        """Put one argument where it belongs: among the files or among the values."""
        if typed is None:
            if not argument.default:
                raise ValueError(f"{option(argument)} is missing: {argument.meaning}")
        elif isinstance(typed, bool):
            request.values[argument.name] = str(typed).lower()
        elif argument.kind.name == "relation" or _names_a_file(argument, typed):
            request.inputs[argument.name] = [Path(text) for text in typed]
        elif argument in self._columns:
            request.values[argument.name] = identifier(_only(argument, typed))
        else:
            typed = typed if argument.kind.is_listed else [_only(argument, typed)]
            try:
                request.values[argument.name] = argument.kind.from_typed(typed)
            except ValueError as error:
                raise ValueError(f"{option(argument)} {error}") from None

    def _typed_arguments(self) -> list[Argument]:
        """All but the INPUT and the secret, which everybody on the machine would see."""
        given = self._function.header.arguments
        return [a for a in given if a != self._main and a.kind.name != "secret"]

    def _takes_input(self) -> bool:
        return self._main is not None or bool(self._columns)

    def _new_parser(self) -> argparse.ArgumentParser:
        h = self._function.header
        parser = argparse.ArgumentParser(
            prog=f"tanon-duck {self._function.name}",
            usage=self._usage(),
            description="\n\n".join(filter(None, [h.summary, h.details])),
            epilog=self._epilog(),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        if self._takes_input():
            told = "the files to read"
            if self._main is not None and self._main.name != "source":
                told += f": {self._main.meaning}"
            parser.add_argument("input", metavar="INPUT", nargs="*", help=_percent(told))
        else:
            parser.add_argument("input", nargs="*", help=argparse.SUPPRESS)
        arguments = parser.add_argument_group(f"arguments of tanon.{self._function.name}")
        for argument in self._typed_arguments():
            add_option(arguments, argument, self._metavar(argument))
        _add_output(parser, self._takes_input())
        return parser

    def _usage(self) -> str:
        words = ["INPUT ..."] if self._takes_input() else []
        words += [
            f"{option(argument)} {self._metavar(argument)}"
            for argument in self._typed_arguments()
            if not argument.default
        ]
        return " ".join(["%(prog)s", *words, "[options] [-o OUTPUT]"])

    def _metavar(self, argument: Argument) -> str:
        return "COLUMN" if argument in self._columns else argument.kind.metavar

    def _epilog(self) -> str:
        results = self._function.header.results
        width = max((len(r.name) for r in results), default=0)
        rows = [f"  {r.name:<{width}}  {r.meaning}" for r in results]
        if self._function.is_scalar:
            added = f"  {self._function.name}  {self._function.header.returns}"
            rows = (["  all columns of INPUT, and"] if self._takes_input() else []) + [added]
        parts = ["\n".join(["result:", *rows]), f"example:\n  {example_line(self._function)}"]
        return _percent("\n\n".join([*parts, _READING] if self._takes_input() else parts))


def _refuse_two_secrets(function: Function) -> None:
    """Tables that two commands write go together only if one secret decides for both."""
    header = function.header
    if header.argument("secret") and header.argument("part") and not os.environ.get(VARIABLE):
        raise TanonError(
            f"tanon.{function.name}: {VARIABLE} must be set to one secret for both parts, "
            "as two commands would draw two; tanon-duck publish --individuals --values "
            "writes both at once"
        )


def add_option(
    group: argparse._ActionsContainer, argument: Argument, metavar: str, several: bool = False
) -> None:
    """The option of one argument; several values of it may follow one another."""
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
            help=_percent(told),
        )
        return
    group.add_argument(
        *spelt,
        dest=argument.name,
        metavar=metavar,
        action="extend" if several else "append",
        nargs="+" if several else None,
        choices=argument.kind.choices or None,
        help=_percent(told),
    )


def _add_output(parser: argparse.ArgumentParser, takes_input: bool) -> None:
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUTPUT",
        default="-",
        help="the file to write, - (the default) for CSV on standard output",
    )
    parser.add_argument("--force", action="store_true", help="replace OUTPUT if it exists")
    parser.add_argument("--sql", action="store_true", help="print the SQL that runs, and stop")
    if takes_input:
        parser.add_argument(
            "--as-text",
            metavar="COLUMN,...",
            action="append",
            help="columns of CSV INPUT that are text even where they look like numbers",
        )
    else:
        parser.set_defaults(as_text=None)


def _with_dashes(word: str, known: list[str]) -> str:
    """`--min_support` is `--min-support`, as SQL has only the underscore."""
    name, equals, value = word.partition("=")
    dashed = name.replace("_", "-")
    return dashed + equals + value if dashed in known else word


def _names_a_file(argument: Argument, typed: list[str]) -> bool:
    """Some arguments are a value or a table: a cost, or the costs in a file."""
    return bool(argument.kind.columns) and all(format_of(Path(text)) for text in typed)


def _only(argument: Argument, typed: list[str]) -> str:
    if len(typed) > 1:
        raise ValueError(f"{option(argument)} takes one value, got {', '.join(typed)}")
    return typed[0]


def _percent(text: str) -> str:
    """argparse takes a percent sign for a placeholder."""
    return text.replace("%", "%%")


def call_of(function: Function, request: Request) -> str:
    """The SQL that answers the request once its inputs are loaded."""
    given = request.values | {
        name: literal(_relation(name, paths, request.only_sql))
        for name, paths in request.inputs.items()
        if not function.is_scalar
    }
    call = f"tanon.{function.name}({', '.join(f'{name} := {sql}' for name, sql in given.items())})"
    if not function.is_scalar:
        return f"from {call}"
    if request.inputs:
        return f"select *, {call} as {function.name} from source"
    return f"select {call} as {function.name}"


def _relation(name: str, paths: list[Path], only_sql: bool) -> str:
    """What is read: the view of the loaded files; where SQL is shown, the files themselves."""
    if not only_sql:
        return identifier(name)
    files = [identifier(str(path)) for path in paths]
    return files[0] if len(files) == 1 else f"(from {' union all by name from '.join(files)})"
