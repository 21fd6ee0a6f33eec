"""The command line of one function, made from its header."""

from __future__ import annotations

import argparse
import codecs
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from textwrap import indent

from tanon_duck.checking.formats import FORMATS
from tanon_duck.checking.running import least_rows
from tanon_duck.doors.files.accounted import AccountedOutput
from tanon_duck.doors.files.examples import (
    column_arguments,
    example_line,
    filled,
    main_relation,
    option,
)
from tanon_duck.doors.files.formats import ENDINGS, STREAMED, format_of
from tanon_duck.doors.files.inputs import check_input, paths_named
from tanon_duck.doors.files.options import (
    add_option,
    add_output,
    add_reading,
    add_roles,
    paragraphs,
    percent,
    two_columns,
    with_dashes,
    wrapped,
)
from tanon_duck.doors.files.outputs import Output
from tanon_duck.doors.files.roles import have_roles
from tanon_duck.doors.files.staging import STDIN, Reading
from tanon_duck.errors import TanonError, nearest
from tanon_duck.macros.catalog import Function
from tanon_duck.macros.header import Argument
from tanon_duck.macros.kinds.typed import split_list
from tanon_duck.quoting import identifier
from tanon_duck.secret import VARIABLE

_READING = (
    f"Files are known by how their names end: {ENDINGS}; CSV and JSON also with .gz or .zst. "
    "- is standard input. CSV needs a first line with names. Several INPUTs with the same "
    "columns are read as one table; a pattern such as 'year=*/*.parquet' stands for all that "
    "match. Lists: --qi zip,sex or --qi zip --qi sex; a name with a comma goes in double "
    "quotes within."
)
_STATUS = "Exit status: 0 if it holds, 1 if it does not, 2 if it could not be told."


@dataclass
class Request:
    """What was asked for: files to load under names, SQL values, and where the result goes."""

    output: Output
    inputs: dict[str, list[Path]] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    reading: Reading = field(default_factory=Reading)
    roles: Path | None = None  # a TOML file of what the columns of the main input are
    only_sql: bool = False  # the SQL is asked for, not what it gives
    is_check: bool = False  # it promises something, and so leaves with 0, 1 or 2
    format: str | None = None  # of the report of a check; None where its rows are wanted
    show_values: bool = True  # a call prints its rows; a report only if it is asked to
    least_rows: int = 0  # of the INPUT of a check
    quiet: bool = False
    accounted: AccountedOutput | None = None  # of a release: its file, with a manifest beside it


class FunctionCommand:
    """Reads the words after the name of one function; leaves with status 2 for a wrong call."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._main = main_relation(function)
        self._columns = column_arguments(function)
        self._parser = self._new_parser()

    @property
    def parser(self) -> argparse.ArgumentParser:
        """What may be typed."""
        return self._parser

    def read(self, words: Sequence[str]) -> Request:
        """The request that these words make."""
        known = [text for action in self._parser._actions for text in action.option_strings]
        words = [with_dashes(word, known) for word in words]
        typed, unknown = self._parser.parse_known_intermixed_args(words)
        if unknown:
            word = unknown[0].split("=")[0]
            own = [option(argument) for argument in self._typed_arguments()]
            self._parser.error(f"unknown: {unknown[0]}{nearest(word, own) or nearest(word, known)}")
        try:
            return self._request(typed)
        except ValueError as error:
            self._parser.error(str(error))

    def _request(self, typed: argparse.Namespace) -> Request:
        target = None if typed.output == "-" else Path(typed.output)
        _refuse_two_secrets(self._function)
        request = Request(Output(target, typed.force), only_sql=typed.sql, quiet=typed.quiet)
        if self._takes_input():
            texts = tuple(split_list(typed.as_text or []))
            request.reading = Reading(texts, _known_encoding(typed.encoding), typed.table)
        if self._takes_roles() and typed.roles is not None:
            request.roles = Path(typed.roles)
        if self._takes_input():
            name = self._main.name if self._main else "source"
            if not typed.input:
                raise ValueError("INPUT is missing: the files to read")
            request.inputs[name] = _paths(typed.input)
        elif typed.input:
            self._take_for_first_argument(typed)
        for argument in self._typed_arguments():
            self._take(argument, getattr(typed, argument.name), request)
        self._choose_format(typed, request)
        for_owner = request.values.get("for_owner") == "true"
        if target and self._function.header.promises and typed.manifest and not for_owner:
            request.accounted = AccountedOutput(target, typed.force)
        if not request.only_sql:
            _check_files(request)
        return request

    def _choose_format(self, typed: argparse.Namespace, request: Request) -> None:
        """Of a check the format of its report, of anything else that of standard output."""
        header = self._function.header
        held_to = header.held_to()
        request.is_check = header.holds is not None and (
            not held_to or any(name in request.values for name in held_to)
        )
        known = tuple(FORMATS) if request.is_check else STREAMED
        if typed.format is not None and typed.format not in known:
            said = f"--format must be one of {', '.join(known)}, got {typed.format}"
            raise ValueError(said + nearest(typed.format, known))
        if request.is_check:
            request.format = typed.format
            request.show_values = typed.format is None or typed.show_values
            request.least_rows = least_rows(typed.min_rows, typed.allow_empty)
        elif typed.format:
            request.output = replace(request.output, format=typed.format)

    def _take_for_first_argument(self, typed: argparse.Namespace) -> None:
        """Without files to read, `tanon-duck help k_anonymity` means what it seems to mean."""
        first = next(iter(self._function.header.arguments), None)
        if first is None or getattr(typed, first.name) is not None:
            raise ValueError(f"{self._function.name} reads no INPUT, got {typed.input[0]}")
        setattr(typed, first.name, typed.input)

    def _take(self, argument: Argument, typed: list[str] | bool | None, request: Request) -> None:
        """Put one argument where it belongs: among the files or among the values."""
        if typed is None:
            if not argument.default and not self._may_be_declared(argument, request):
                raise ValueError(f"{option(argument)} is missing: {_wanted(argument)}")
        elif isinstance(typed, bool):
            request.values[argument.name] = str(typed).lower()
        elif argument.kind.name == "relation" or _names_a_file(argument, typed):
            request.inputs[argument.name] = _paths(typed)
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

    def _takes_roles(self) -> bool:
        return any(argument.roles for argument in self._function.header.arguments)

    def _may_be_declared(self, argument: Argument, request: Request) -> bool:
        """Whether its column may be known from what an input is declared to be."""
        paths = request.inputs.get(argument.relation, [])
        return bool(argument.roles and paths) and have_roles(paths, request.roles)

    def _takes_input(self) -> bool:
        return self._main is not None or bool(self._columns)

    def _new_parser(self) -> argparse.ArgumentParser:
        h = self._function.header
        parser = argparse.ArgumentParser(
            prog=f"tanon-duck {self._function.name}",
            usage=self._usage(),
            description=percent(paragraphs("\n\n".join(filter(None, [h.summary, h.details])))),
            epilog=self._epilog(),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        if self._takes_input():
            told = "the files to read"
            if self._main is not None and self._main.name != "source":
                told += f": {self._main.meaning}"
            parser.add_argument("input", metavar="INPUT", nargs="*", help=percent(told))
        else:
            parser.add_argument("input", nargs="*", help=argparse.SUPPRESS)
        arguments = parser.add_argument_group(f"arguments of tanon.{self._function.name}")
        for argument in self._typed_arguments():
            add_option(arguments, argument, self._metavar(argument))
        add_output(parser, h.holds is not None, bool(h.promises))
        if self._takes_input():
            add_reading(parser)
        if self._takes_roles():
            add_roles(parser)
        return parser

    def _usage(self) -> str:
        words = [f"tanon-duck {self._function.name}"]
        words += ["INPUT ..."] if self._takes_input() else []
        words += [
            f"{option(argument)} {self._metavar(argument)}"
            for argument in self._typed_arguments()
            if not argument.default
        ]
        return percent("\n".join(filled([*words, "[options] [-o OUTPUT]"])))

    def _metavar(self, argument: Argument) -> str:
        return "COLUMN" if argument in self._columns else argument.kind.metavar

    def _epilog(self) -> str:
        h = self._function.header
        rows = [(r.name, r.meaning) for r in h.results]
        if self._function.is_scalar:
            rows = [("all columns of INPUT, and", "")] if self._takes_input() else []
            rows.append((self._function.name, h.returns))
        example = indent(example_line(self._function), "  ")
        parts = [f"result:\n{two_columns(rows)}", f"example:\n{example}"]
        parts += [wrapped(_STATUS)] if h.holds else []
        parts += [wrapped(_READING)] if self._takes_input() else []
        return percent("\n\n".join(parts))


def _refuse_two_secrets(function: Function) -> None:
    """Tables that two commands write go together only if one secret decides for both."""
    header = function.header
    if header.argument("secret") and header.argument("part") and not os.environ.get(VARIABLE):
        raise TanonError(
            f"tanon.{function.name}: {VARIABLE} must be set to one secret for both parts, "
            "as two commands would draw two; tanon-duck publish --individuals --values "
            "writes both at once"
        )


def _paths(typed: list[str]) -> list[Path]:
    return [path for text in typed for path in paths_named(text)]


def _known_encoding(name: str) -> str:
    try:
        return name and codecs.lookup(name).name
    except LookupError:
        raise ValueError(f"--encoding must be one that Python knows, got {name}") from None


def _check_files(request: Request) -> None:
    """Errors about files before any work."""
    paths = [path for paths in request.inputs.values() for path in paths]
    if paths.count(STDIN) > 1:
        raise ValueError("- must be one INPUT only: standard input is read once")
    for path in paths:
        check_input(path)
    for output in _outputs(request):
        output.refuse_inputs(paths)
    (request.accounted or request.output).check()


def _outputs(request: Request) -> list[Output]:
    """All files that will be written."""
    beside = request.accounted
    return [request.output, *([replace(request.output, path=beside.manifest)] if beside else [])]


def _wanted(argument: Argument) -> str:
    """What an argument is, and what can stand for it."""
    if not argument.roles:
        return argument.meaning
    return f"{argument.meaning} ({' or '.join(argument.roles)} of --roles FILE or of a database)"


def _names_a_file(argument: Argument, typed: list[str]) -> bool:
    """Some arguments are a value or a table: a cost, or the costs in a file."""
    return bool(argument.kind.columns) and all(format_of(Path(text)) for text in typed)


def _only(argument: Argument, typed: list[str]) -> str:
    if len(typed) > 1:
        raise ValueError(f"{option(argument)} takes one value, got {', '.join(typed)}")
    return typed[0]
