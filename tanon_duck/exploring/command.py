"""Run ``tanon-duck explore INPUT``: serve a page on this machine until Ctrl-C."""

from __future__ import annotations

import argparse
import json
import shlex
import signal
import sys
from dataclasses import replace
from pathlib import Path

from tanon_duck.errors import TanonError
from tanon_duck.exploring.server import ExplorerServer
from tanon_duck.exploring.table import ExploredTable, Names
from tanon_duck.interfaces.connection import connect
from tanon_duck.interfaces.files.file_formats import format_of
from tanon_duck.interfaces.files.input_roles import is_database, take_roles
from tanon_duck.interfaces.files.inputs import check_input, load, paths_named
from tanon_duck.interfaces.files.staged_inputs import STDIN, Reading, staged
from tanon_duck.macros.kinds.typed import split_list

_SOURCE, _HIERARCHIES = "source", "hierarchies"


def run(options: argparse.Namespace) -> int:
    """Load the files and serve the page until the user stops it; return 0."""
    paths = [path for text in options.input for path in paths_named(text)]
    steps = paths_named(options.hierarchies) if options.hierarchies else []
    for path in [*paths, *steps]:
        try:
            check_input(path)
        except ValueError as error:
            raise TanonError(str(error)) from None
    texts = tuple(split_list(options.as_text or []))
    reading = Reading(texts, options.encoding, options.table)
    roles = Path(options.roles) if options.roles else None
    wanted = {_SOURCE: paths} | ({_HIERARCHIES: steps} if steps else {})
    with connect() as connection, staged(wanted, reading) as inputs:
        connection.execute("set python_enable_replacements = false")
        load(connection, _SOURCE, inputs[_SOURCE], reading)
        if steps:
            load(connection, _HIERARCHIES, inputs[_HIERARCHIES], replace(reading, table=""))
        take_roles(connection, _SOURCE, paths, reading.table, roles)
        names = _with_hierarchies(_names(paths, options.table), steps)
        explored = ExploredTable(connection, _SOURCE, names, _HIERARCHIES if steps else "")
        try:
            _serve(ExplorerServer(explored))
        finally:
            explored.close()
    return 0


def _serve(server: ExplorerServer) -> None:
    """Print the address and serve the page until Ctrl-C or SIGTERM."""
    print(server.url, flush=True)
    print(
        "For the owner: everybody who has this address can read the table. Open it in a browser of "
        "this machine; Ctrl-C stops the server.",
        file=sys.stderr,
    )
    usual = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print(file=sys.stderr)
    finally:
        signal.signal(signal.SIGTERM, usual)
        server.server_close()


def _names(paths: list[Path], table: str) -> Names:
    """Return how SQL, policies and command lines name the table."""
    first, words = paths[0], shlex.join(map(str, paths))
    title = ", ".join("standard input" if path == STDIN else path.name for path in paths)
    if is_database(first):
        name = table or first.stem
        said = f"database = {_toml(str(first))}\n\n[relation.{_toml(name)}]"
        return Names(f"{name} of {title}" if table else title, name, said, words + (
            f" --table {shlex.quote(table)}" if table else ""))  # fmt: skip
    found = format_of(first)
    readable = len(paths) == 1 and found is not None and bool(found.reader)
    files = ", ".join(_toml(str(path)) for path in paths)
    said = f"[relation.{_toml(first.stem)}]\nfile = [{files}]"
    return Names(title, str(first) if readable else _SOURCE, said, words)


def _with_hierarchies(names: Names, paths: list[Path]) -> Names:
    """Add the names of the hierarchies, if there are any."""
    if not paths:
        return names
    found = format_of(paths[0])
    readable = len(paths) == 1 and found is not None and bool(found.reader)
    return replace(
        names, hierarchies=str(paths[0]) if readable else _HIERARCHIES,
        hierarchies_words=shlex.join(map(str, paths)),
    )  # fmt: skip


def _toml(text: str) -> str:
    """Return a text as a TOML string.

    JSON escapes all characters as TOML does, except the control character 7F.
    """
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
