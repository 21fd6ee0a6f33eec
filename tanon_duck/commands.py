"""The commands of ``tanon-duck``, and how their errors are reported.

Each command imports its modules when it runs: help needs few of them.
"""

import argparse
import os
import sys
import warnings
from importlib import import_module
from pathlib import Path

from tanon_duck._version import __version__
from tanon_duck.errors import (
    NotToldError,
    TanonError,
    TanonWarning,
    nearest,
    no_such_file,
    one_line,
)
from tanon_duck.interfaces import shell_completion
from tanon_duck.interfaces.files.function_parser import FunctionParser, report_of
from tanon_duck.interfaces.files.options import two_columns
from tanon_duck.macros import catalog
from tanon_duck.parsers import COMMANDS

_REPORT = "a report to be filed, on one page of HTML, about a release of one of the kinds"


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
    except KeyboardInterrupt:
        print("tanon-duck: interrupted", file=sys.stderr)
        return 130
    except Exception as error:
        if not _is_reported(error):
            raise
        print(f"tanon-duck: {one_line(error)}", file=sys.stderr)
        return 2 if isinstance(error, NotToldError) else 1
    finally:
        os.umask(usual)


def _is_reported(error: Exception) -> bool:
    """Return whether an error is reported in one line: ours, of a file, or of DuckDB."""
    if isinstance(error, (TanonError, OSError)):
        return True
    import duckdb

    return isinstance(error, duckdb.Error)


def _one_line_of(message: Warning | str, *_: object, **__: object) -> None:
    """Show a warning as errors are shown: no path and no line of a file that nobody wrote."""
    print(f"tanon-duck: warning: {message}", file=sys.stderr)


def _run(words: list[str]) -> int:
    """Run a command, or a function on files."""
    if not words or words[0].startswith("-"):
        return _overview(words)
    name, rest = words[0], words[1:]
    if name == "report":
        return _report(rest)
    function = name.replace("-", "_")
    if name in COMMANDS and (function not in catalog.names() or _is_database(rest)):
        command = COMMANDS[name]
        options = command.parser(name).parse_args(rest)
        module, _, run = command.runner.partition(":")
        return int(getattr(import_module(f"tanon_duck.{module}"), run)(options))
    if function not in catalog.names():
        known = [*COMMANDS, "report", *catalog.names()]
        return _overview([], f"there is no command {name!r}{nearest(name, known)}")
    if {"-h", "--help"} & {*rest}:
        FunctionParser(catalog.function(function)).parsed(rest)
    from tanon_duck.interfaces.files import run_function

    return run_function.run(function, rest)


def _is_database(words: list[str]) -> bool:
    """Return whether the first word is a database; the function ``set_roles`` reads others."""
    from tanon_duck.interfaces.files.input_roles import is_database

    return bool(words) and is_database(Path(words[0]))


def _overview(words: list[str], wrong: str = "COMMAND is missing") -> int:
    """Print the help of the whole, or say what is wrong."""
    topics: dict[str, list[tuple[str, str]]] = {}
    for function in sorted(catalog.functions().values(), key=lambda f: f.name):
        topics.setdefault(function.topic, []).append((function.name, function.header.summary))
    commands = [(name, command.help) for name, command in COMMANDS.items()]
    lines = ["commands (tanon-duck COMMAND --help):"]
    lines += ["", two_columns([*commands, ("report", _REPORT)]), ""]
    lines += ["functions (tanon-duck FUNCTION --help):"]
    for topic, listed in sorted(topics.items()):
        lines += [f"\n  {topic}", two_columns(listed, "    ")]
    parser = argparse.ArgumentParser(
        prog="tanon-duck",
        usage="%(prog)s COMMAND ... | FUNCTION INPUT ... [-o OUTPUT]",
        description="Publish temporal data with checked privacy promises.",
        epilog="\n".join(lines),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"tanon_duck {__version__}")
    parser.parse_args(words)
    parser.error(wrong)


def _report(words: list[str]) -> int:
    """Write a report of the kind that the first word names."""
    kinds = [n.removeprefix("report_") for n in catalog.names() if n.startswith("report_")]
    if not words or words[0] not in kinds:
        functions = [(kind, catalog.function(f"report_{kind}").header.summary) for kind in kinds]
        parser = argparse.ArgumentParser(
            prog="tanon-duck report",
            usage="%(prog)s KIND INPUT ... [arguments of the kind] [-o FILE.html]",
            description=f"Write {_REPORT}. tanon-duck report KIND --help lists its arguments.",
            epilog=f"kinds:\n{two_columns(functions)}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        parser.parse_args([] if words and not words[0].startswith("-") else words)
        parser.error(f"KIND must be one of {', '.join(kinds)}, got {words[0] if words else 'none'}")
    if {"-h", "--help"} & {*words}:
        FunctionParser(*report_of(words[0])).parsed(words)
    from tanon_duck.reporting import command

    return command.run(words[0], words[1:])


def demo(options: argparse.Namespace) -> int:
    """Anonymize the tables of the demo."""
    from tanon_duck import demo

    return demo.print_sql() if options.sql else demo.run(options.output)


def set_roles(options: argparse.Namespace) -> int:
    """Declare what the columns of a table are."""
    from tanon_duck.interfaces import role_declarations
    from tanon_duck.interfaces.connection import connect

    said = dict(word.partition("=")[::2] for word in options.roles)
    if options.file:
        said = role_declarations.read_roles(options.file, options.table) | said
    if not Path(options.database).exists():
        raise TanonError(no_such_file(options.database))
    with connect(options.database) as connection:
        if options.sql:
            made = role_declarations.statements(connection, options.table, said)
            print(*(f"{statement};" for statement in ("begin", *made, "commit")), sep="\n")
            return 0
        found = role_declarations.set_roles(connection, options.table, said)
        for name, _type, role, how, _kept in found.fetchall():
            print(f"{name}: {'; '.join(filter(None, [role, how])) or 'no role, stays home'}")
    return 0


def script(options: argparse.Namespace) -> int:
    """Write the functions as SQL for the stock shell."""
    from tanon_duck.interfaces import stock_shell
    from tanon_duck.interfaces.files.outputs import half_written

    if options.output:
        with half_written(Path(options.output)) as path:
            path.write_text(stock_shell.script(), encoding="utf-8")
    else:
        sys.stdout.write(stock_shell.script())
    return 0


def install(options: argparse.Namespace) -> int:
    """Keep the functions in a database file."""
    from tanon_duck.interfaces import stock_shell

    stock_shell.install_file(options.database)
    print(f"{options.database} now has the functions: FROM tanon.help() lists them")
    return 0


def uninstall(options: argparse.Namespace) -> int:
    """Take the functions out of a database file."""
    from tanon_duck.interfaces import stock_shell

    stock_shell.uninstall_file(options.database)
    print(f"{options.database} has no tanon functions any more")
    return 0


def shell(options: argparse.Namespace) -> int:
    """Open the prompt."""
    import duckdb

    from tanon_duck.interfaces.connection import connect
    from tanon_duck.interfaces.sql_prompt import run_shell

    banner = f"tanon_duck {__version__} on DuckDB {duckdb.__version__}\nStatements end with ; and "
    banner += ".help lists the commands, from tanon.help(); the functions."
    with connect(options.database, read_only=options.read_only) as connection:
        return run_shell(connection, banner=banner)


def complete(options: argparse.Namespace) -> int:
    """Print the completion script of a shell."""
    parsers = {name: command.parser(name) for name, command in COMMANDS.items()}
    sys.stdout.write(shell_completion.script(options.shell, parsers))
    return 0
