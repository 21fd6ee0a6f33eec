"""The commands of ``tanon-duck``, and how their errors are told."""

import argparse
import os
import sys
import warnings
from pathlib import Path

import duckdb

from tanon_duck import demo
from tanon_duck._version import __version__
from tanon_duck.doors import completion, declaring, files, policy_command, stock_shell
from tanon_duck.doors.connection import connect
from tanon_duck.doors.files.outputs import half_written
from tanon_duck.errors import (
    TanonError,
    TanonWarning,
    no_such_file,
    one_line,
    unknown_command,
)
from tanon_duck.exploring import command as explore
from tanon_duck.macros import catalog, procedures
from tanon_duck.publishing import command as publish
from tanon_duck.reporting import command as report


def main(words: list[str]) -> int:
    """Run one command; the exit status is 0, 1 for a failure, 2 for a wrong call."""
    # What is written holds rows of people: nobody else may read it, whatever is usual here.
    usual = os.umask(0o077)
    os.umask(usual | 0o077)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", TanonWarning)
            warnings.showwarning = _one_line_of
            return _run(words)
    except BrokenPipeError:  # whoever read our output has seen enough
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115, PTH123 - until the interpreter ends
        return 0
    except (TanonError, duckdb.Error, OSError) as error:
        print(f"tanon-duck: {one_line(error)}", file=sys.stderr)
        return 2 if isinstance(error, files.NotToldError) else 1
    finally:
        os.umask(usual)


def _one_line_of(message: Warning | str, *_: object, **__: object) -> None:
    """Show a warning as errors are shown: no path and no line of a file that nobody wrote."""
    print(f"tanon-duck: warning: {message}", file=sys.stderr)


def _run(words: list[str]) -> int:
    """One of the commands below, or a function on files."""
    if words[:1] == ["report"]:
        return report.run(words[1:])
    if words and not _is_command(words) and (function := files.function_named(words[0])):
        return files.run(function, words[1:])
    parser = _parser()
    if words and not words[0].startswith("-") and words[0] not in _COMMANDS:
        parser.error(unknown_command(words[0], [*_COMMANDS, *catalog.functions()]))
    options = parser.parse_args(words)
    return int(_COMMANDS[options.command](options))


def _is_command(words: list[str]) -> bool:
    """Whether the first word is a command; ``declare`` of a file is the function."""
    if words[0] == "declare":
        return len(words) > 1 and files.is_database(Path(words[1]))
    return words[0] in _COMMANDS


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tanon-duck",
        usage="%(prog)s COMMAND ... | FUNCTION INPUT ... [-o OUTPUT]",
        description="Publish temporal data with checked privacy promises.",
        epilog=files.overview().replace("%", "%%"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"tanon_duck {__version__}")
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", prog=parser.prog
    )
    it = commands.add_parser("demo", help="anonymize small tables that it makes itself")
    it.add_argument("-o", "--output", metavar="FILE", help="keep the tables in this new database")
    it.add_argument("--sql", action="store_true", help="print the SQL that runs, and stop")
    it = commands.add_parser("declare", help="say what the columns of a database's table are, once")
    it.add_argument("database", metavar="FILE")
    it.add_argument("table", metavar="TABLE")
    it.add_argument("roles", metavar="COLUMN=ROLE", nargs="*", help="such as patient=respondent")
    it.add_argument("--roles", dest="file", metavar="FILE", help="a TOML file of them")
    it.add_argument("--sql", action="store_true", help="print the SQL that runs, and stop")
    it = commands.add_parser("publish", help=procedures.publish().header.summary)
    publish.add_arguments(it)
    it = commands.add_parser("check", help="check what a policy promises; a pipeline stops at it")
    policy_command.add_arguments(it)
    report.add_arguments(commands.add_parser("report", help=report.HELP))
    explore.add_arguments(commands.add_parser("explore", help=explore.HELP))
    it = commands.add_parser("script", help="the functions as SQL for .read in the DuckDB shell")
    it.add_argument("-o", "--output", metavar="FILE", help="write to this file")
    it = commands.add_parser("install", help="keep the functions in a database file")
    it.add_argument("database", metavar="FILE")
    it = commands.add_parser("uninstall", help="take the functions out of a database file")
    it.add_argument("database", metavar="FILE")
    it = commands.add_parser("completion", help="what a shell completes: eval it at its start")
    it.add_argument("shell", choices=completion.SHELLS)
    it = commands.add_parser("shell", help="a SQL prompt in which every function works")
    it.add_argument("database", metavar="FILE", nargs="?", default=":memory:")
    it.add_argument("--read-only", action="store_true", help="open the file without writing")
    return parser


def _demo(options: argparse.Namespace) -> int:
    return demo.print_sql() if options.sql else demo.run(options.output)


def _script(options: argparse.Namespace) -> int:
    if options.output:
        with half_written(Path(options.output)) as path:
            path.write_text(stock_shell.script(), encoding="utf-8")
    else:
        sys.stdout.write(stock_shell.script())
    return 0


def _declare(options: argparse.Namespace) -> int:
    said = dict(word.partition("=")[::2] for word in options.roles)
    if options.file:
        said = declaring.read_roles(options.file, options.table) | said
    if not Path(options.database).exists():
        raise TanonError(no_such_file(options.database))
    with connect(options.database) as connection:
        if options.sql:
            made = declaring.statements(connection, options.table, said)
            print(*(f"{statement};" for statement in ("begin", *made, "commit")), sep="\n")
            return 0
        found = declaring.declare(connection, options.table, said)
        for name, _type, role, how, _kept in found.fetchall():
            print(f"{name}: {'; '.join(filter(None, [role, how])) or 'no role, stays home'}")
    return 0


def _install(options: argparse.Namespace) -> int:
    stock_shell.install_file(options.database)
    print(f"{options.database} now has the functions: FROM tanon.help() lists them")
    return 0


def _uninstall(options: argparse.Namespace) -> int:
    stock_shell.uninstall_file(options.database)
    print(f"{options.database} has no tanon functions any more")
    return 0


def _shell(options: argparse.Namespace) -> int:
    from tanon_duck.doors.prompt import run_shell

    with connect(options.database, read_only=options.read_only) as connection:
        return run_shell(connection, banner=_BANNER)


def _completion(options: argparse.Namespace) -> int:
    sys.stdout.write(completion.script(options.shell, _parser()))
    return 0


_BANNER = f"""\
tanon_duck {__version__} on DuckDB {duckdb.__version__}
Statements end with ; and .help lists the commands, .functions what tanon can do."""
_COMMANDS = {
    "declare": _declare,
    "demo": _demo,
    "publish": publish.run,
    "check": policy_command.run,
    "explore": explore.run,
    "script": _script,
    "install": _install,
    "uninstall": _uninstall,
    "shell": _shell,
    "completion": _completion,
}
