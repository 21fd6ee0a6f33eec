"""The parsers of the commands of ``tanon-duck``.

It imports neither DuckDB nor Arrow, so that help comes at once.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass

from tanon_duck.checking.formats import FORMATS
from tanon_duck.interfaces.files.options import add_option, add_reading, add_roles, add_values
from tanon_duck.interfaces.shell_completion import SHELLS
from tanon_duck.macros import catalog

_POLICY = """\
Exit status: 0 if every promise holds, 1 if one does not, 2 if one could not be decided, such as
that of a table without rows (unless allow_empty = true) or with fewer than min_rows. Warnings pass.
The report holds counts and names of columns; values of rows only with --values.

A policy:

  [relation.visits]
  file = "visits.parquet"
  respondent = "patient"

  [[check]]
  relation = "visits"
  function = "k_anonymity"
  qi = ["zip", "sex"]
  k = 5
"""
_PAIR = {
    "individuals": "write the table of who is in which group here, for others",
    "values": "write the table of the values of each group here, for others",
}


@dataclass(frozen=True)
class Command:
    """One command: what it does, its arguments, and the module and function that run it."""

    help: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    runner: str

    def parser(self, name: str) -> argparse.ArgumentParser:
        """Return the parser of the words after the name."""
        parser = argparse.ArgumentParser(prog=f"tanon-duck {name}", description=self.help)
        self.add_arguments(parser)
        return parser


def _demo(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", metavar="FILE", help="keep the tables in this database")
    parser.add_argument("--sql", action="store_true", help="print the SQL that runs, and stop")


def _set_roles(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("database", metavar="FILE")
    parser.add_argument("table", metavar="TABLE")
    parser.add_argument("roles", metavar="COLUMN=ROLE", nargs="*", help="as in patient=respondent")
    parser.add_argument("--roles", dest="file", metavar="FILE", help="a TOML file of them")
    parser.add_argument("--sql", action="store_true", help="print the SQL that runs, and stop")


def _stream(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``publish``: those of its header, and what is done."""
    header = catalog.described(catalog.file_text("procedures/stream.sql"))
    parser.description = f"{header.summary}\n\n{header.details}"
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("database", metavar="FILE", help="the database that holds the publication")
    parser.add_argument("name", metavar="NAME", help="the name of the publication: a schema")
    for argument in header.arguments:
        kind = argument.kind
        if kind.name != "secret":  # everybody on the machine would see it
            add_option(parser, argument, kind.metavar, several=kind.is_listed)
    parser.add_argument(
        "--rebase",
        metavar="SOURCE",
        help="go on from this table, view or query in parentheses, which must hold all rows seen",
    )
    parser.add_argument("--upto", help="the last snapshot that is complete")
    parser.add_argument(
        "--beyond-source", action="store_true", help="upto is later than the last row on purpose"
    )
    parser.add_argument("--finish", action="store_true", help="the stream has ended: release all")
    parser.add_argument("--verify", action="store_true", help="compare all that was seen first")
    _add_outputs(parser)


def _add_outputs(parser: argparse.ArgumentParser) -> None:
    """What is written, and what is only shown."""
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write the released rows, for the owner alone, here, - for CSV on standard output",
    )
    for name, meaning in _PAIR.items():
        parser.add_argument(f"--{name}", metavar="FILE", help=meaning)
    parser.add_argument(
        "--deliver",
        metavar="DIR",
        help="write both, and a manifest, of what was released since the last delivery into a new "
        "folder in this one",
    )
    parser.add_argument("--whole", action="store_true", help="deliver everything from the start")
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="say what --upto, --finish or --deliver would do, write nothing",
    )
    parser.add_argument(
        "--sql", action="store_true", help="print the SQL that --upto or --finish runs, and stop"
    )
    parser.add_argument("--force", action="store_true", help="replace the outputs if they exist")


def _check(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``check``."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _POLICY
    parser.add_argument("policy", metavar="POLICY", nargs="?", help="a TOML file")
    known = ", ".join(FORMATS)
    parser.add_argument("--format", metavar="FORMAT", default="text", help=f"one of {known}")
    add_values(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="write the report to this file")
    parser.add_argument(
        "--record", action="store_true", help="keep what ratchets compare with beside the policy"
    )
    parser.add_argument(
        "--force", action="store_true", help="with --record: also where it is worse than before"
    )
    parser.add_argument(
        "--schema", action="store_true", help="print the JSON schema of policies, for editors"
    )
    parser.add_argument(
        "--sql", action="store_true", help="print the SQL of each promise, and stop"
    )
    parser.add_argument(
        "--quiet", action="store_true", help="print nothing; the exit status says it"
    )


def _explore(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``explore``."""
    parser.description = (
        "Show a table to its owner on a page that only this machine can open, at the address that "
        "is printed, until Ctrl-C. The table is read, nothing is written. Roles are chosen there; "
        "groups are counted once, and k, suppression and granularity are then moved freely."
    )
    parser.add_argument("input", metavar="INPUT", nargs="+", help="the files, or a database")
    parser.add_argument(
        "--hierarchies",
        metavar="FILE",
        help="attribute, level, value, generalized: what each value becomes on each level",
    )
    add_reading(parser)
    add_roles(parser)


def _script(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", metavar="FILE", help="write to this file")


def _database(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("database", metavar="FILE")


def _completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS)


def _shell(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("database", metavar="FILE", nargs="?", default=":memory:")
    parser.add_argument("--read-only", action="store_true", help="open the file without writing")


COMMANDS = {
    "set_roles": Command(
        "say once what the columns of a table are", _set_roles, "commands:set_roles"
    ),
    "demo": Command("anonymize small tables that it makes itself", _demo, "commands:demo"),
    "stream": Command(
        "publish a stream of records step by step", _stream, "publishing.command:run"
    ),
    "check": Command(
        "check what a policy promises; a pipeline stops at it",
        _check,
        "interfaces.policy_command:run",
    ),
    "explore": Command(
        "a page on this machine: what k, suppression and granularity would cost, seen live",
        _explore,
        "exploring.command:run",
    ),
    "script": Command(
        "the functions as SQL for .read in the DuckDB shell", _script, "commands:script"
    ),
    "install": Command("keep the functions in a database file", _database, "commands:install"),
    "uninstall": Command(
        "take the functions out of a database file", _database, "commands:uninstall"
    ),
    "shell": Command("a SQL prompt in which every function works", _shell, "commands:shell"),
    "completion": Command(
        "what a shell completes: eval it at its start", _completion, "commands:complete"
    ),
}
