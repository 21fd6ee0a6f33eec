"""Turn the typed words after a function name into a request."""

from __future__ import annotations

import argparse
import codecs
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tanon_duck.accounting.manifest import is_release
from tanon_duck.checking.formats import FORMATS
from tanon_duck.checking.running import least_rows
from tanon_duck.errors import TanonError, nearest
from tanon_duck.interfaces.files.file_formats import STREAMED, format_of
from tanon_duck.interfaces.files.function_parser import FunctionParser
from tanon_duck.interfaces.files.input_roles import have_roles
from tanon_duck.interfaces.files.inputs import check_input, files_as_sql, paths_named
from tanon_duck.interfaces.files.options import option
from tanon_duck.interfaces.files.outputs import Output
from tanon_duck.interfaces.files.release_folder import AccountedOutput
from tanon_duck.interfaces.files.staged_inputs import STDIN, Reading
from tanon_duck.macros.catalog import Function
from tanon_duck.macros.header import Argument
from tanon_duck.macros.kinds.typed import split_list
from tanon_duck.quoting import identifier, literal
from tanon_duck.secret import VARIABLE


@dataclass
class Request:
    """A parsed command: input files by argument, SQL values of arguments, and the output."""

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

    def chosen(self) -> dict[str, object]:
        """Return the arguments that decide who may see the result."""
        result = self.values.get("result", "").strip("'")
        return {"result": result, "for_owner": self.values.get("for_owner") == "true"}


class FunctionCommand(FunctionParser):
    """Reads the words after the name of one function as a request."""

    def read(self, words: Sequence[str]) -> Request:
        """Return the request that these words make."""
        return self.request(self.parsed(words))

    def request(self, typed: argparse.Namespace) -> Request:
        """Return the request of what was parsed; exit with status 2 for a wrong one."""
        try:
            return self._request(typed)
        except ValueError as error:
            self.parser.error(str(error))

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
        if target and is_release(self._function, request.chosen()) and typed.manifest:
            request.accounted = AccountedOutput(target, typed.force)
        if not request.only_sql:
            _check_files(request)
        return request

    def _choose_format(self, typed: argparse.Namespace, request: Request) -> None:
        """Set the format: of the report for a check, else of standard output."""
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
        """If the function reads no files, use the first word as its first argument."""
        first = next(iter(self._function.header.arguments), None)
        if first is None or getattr(typed, first.name) is not None:
            raise ValueError(f"{self._function.name} reads no INPUT, got {typed.input[0]}")
        setattr(typed, first.name, typed.input)

    def _take(self, argument: Argument, typed: list[str] | bool | None, request: Request) -> None:
        """Store one typed argument in the request, as input files or as a SQL value."""
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

    def _may_be_declared(self, argument: Argument, request: Request) -> bool:
        """Return whether the roles of an input can supply an omitted argument."""
        paths = request.inputs.get(argument.relation, [])
        return bool(argument.roles and paths) and have_roles(paths, request.roles)


def _refuse_two_secrets(function: Function) -> None:
    """Raise if two commands would write the tables of one release with two secrets."""
    releases = [a for a in function.header.answers if a.audience == "others"]
    if function.header.argument("secret") and releases[1:] and not os.environ.get(VARIABLE):
        raise TanonError(
            f"tanon.{function.name}: {VARIABLE} must be set to one secret for both tables, "
            "as two commands would draw two; tanon-duck stream --individuals --values "
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
    """Raise for unusable input and output files before any query runs."""
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
    """What is read: the view of the loaded files, or the files themselves."""
    if not only_sql:
        return identifier(name)
    return files_as_sql(paths)


def arguments_of(request: Request) -> dict[str, str]:
    """What was typed, for the report."""
    files = {name: ", ".join(map(str, paths)) for name, paths in request.inputs.items()}
    return files | request.values
