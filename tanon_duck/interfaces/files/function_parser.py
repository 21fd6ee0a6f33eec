"""The parser of one function's command line, made from its header.

It imports neither DuckDB nor Arrow, so that help comes at once.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from textwrap import indent

from tanon_duck.errors import nearest
from tanon_duck.interfaces.files.example_commands import (
    column_arguments,
    example_line,
    filled,
    main_relation,
)
from tanon_duck.interfaces.files.file_formats import ENDINGS
from tanon_duck.interfaces.files.options import (
    add_option,
    add_output,
    add_page,
    add_reading,
    add_roles,
    option,
    paragraphs,
    percent,
    two_columns,
    with_dashes,
    wrapped,
)
from tanon_duck.macros import catalog
from tanon_duck.macros.catalog import Function
from tanon_duck.macros.header import Argument

_READING = (
    f"Files are known by how their names end: {ENDINGS}; CSV and JSON also with .gz or .zst. "
    "- is standard input. CSV needs a first line with names. Several INPUTs with the same "
    "columns are read as one table; a pattern such as 'year=*/*.parquet' stands for all that "
    "match. Lists: --qi zip,sex or --qi zip --qi sex; a name with a comma goes in double "
    "quotes within."
)
_STATUS = "Exit status: 0 if it holds, 1 if it does not, 2 if it could not be told."


def report_of(
    kind: str,
) -> tuple[Function, str, Callable[[argparse.ArgumentParser], None]]:
    """Return what makes the parser of ``tanon-duck report KIND``."""
    return catalog.function(f"report_{kind}"), f"report {kind}", add_page


class FunctionParser:
    """Parses the words after the name of one function; exits with status 2 for a wrong call."""

    def __init__(
        self,
        function: Function,
        typed: str = "",
        add_outputs: Callable[[argparse.ArgumentParser], None] | None = None,
    ) -> None:
        """``typed`` is the command before the words, and ``add_outputs`` adds its own options."""
        self._function = function
        self._typed = typed or function.name
        self._add_outputs = add_outputs
        self._main = main_relation(function)
        self._columns = column_arguments(function)
        self.parser = self._new_parser()

    def parsed(self, words: Sequence[str]) -> argparse.Namespace:
        """Return what these words name."""
        known = [text for action in self.parser._actions for text in action.option_strings]
        words = [with_dashes(word, known) for word in words]
        typed, unknown = self.parser.parse_known_intermixed_args(words)
        if unknown:
            self._refuse(unknown[0], known)
        return typed

    def _refuse(self, word: str, known: list[str]) -> None:
        name = word.split("=")[0]
        if self._main is not None and name == option(self._main):
            self.parser.error(f"{name} is INPUT: name its files without an option")
        own = [option(argument) for argument in self._typed_arguments()]
        self.parser.error(f"unknown: {word}{nearest(name, own) or nearest(name, known)}")

    def _typed_arguments(self) -> list[Argument]:
        """All but the INPUT and the secret, which everybody on the machine would see."""
        given = self._function.header.arguments
        return [a for a in given if a != self._main and a.kind.name != "secret"]

    def _takes_roles(self) -> bool:
        return any(argument.roles for argument in self._function.header.arguments)

    def _takes_input(self) -> bool:
        return self._main is not None or bool(self._columns)

    def _new_parser(self) -> argparse.ArgumentParser:
        h = self._function.header
        parser = argparse.ArgumentParser(
            prog=f"tanon-duck {self._typed}",
            usage=self._usage(),
            description=paragraphs("\n\n".join(filter(None, [h.summary, h.details]))),
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
        if self._add_outputs is not None:
            self._add_outputs(parser)
        else:
            add_output(parser, h.holds is not None, bool(h.promises))
        if self._takes_input():
            add_reading(parser)
        if self._takes_roles():
            add_roles(parser)
        return parser

    def _usage(self) -> str:
        words = [f"tanon-duck {self._typed}"]
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
        listed = [(a.name, [(r.name, r.meaning) for r in a.columns]) for a in h.answers]
        if self._function.is_scalar:
            rows = [("all columns of INPUT, and", "")] if self._takes_input() else []
            listed = [("", [*rows, (self._function.name, h.returns)])]
        parts = [f"result {name}".rstrip() + f":\n{two_columns(rows)}" for name, rows in listed]
        parts += [f"example:\n{indent(example_line(self._function, self._typed), '  ')}"]
        parts += [wrapped(_STATUS)] if h.holds else []
        parts += [wrapped(_READING)] if self._takes_input() else []
        return "\n\n".join(parts)
