"""Build four files from ``sql/``: macros, plans, the stock shell's script and digests.

A wheel contains the files. A checkout builds each at its first use in ``.built/<digest>/``. The
digest covers the SQL files, the compiler and the version of DuckDB. If the folder cannot be
written, the files are built in a temporary folder for this process.
"""

import atexit
import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import duckdb

from tanon_duck import quoting
from tanon_duck._version import __version__
from tanon_duck.interfaces import installed_functions
from tanon_duck.interfaces.temporary_folders import workshop
from tanon_duck.udfs import _registry as python_functions

# What the stock shell of today can open; by itself DuckDB 2.0 writes a newer format.
STORAGE_OF_THE_SHELL = "v1.5.0"
CONNECTION, TEXTS, SCRIPT, DIGESTS = (
    "connection.duckdb",
    "texts.duckdb",
    "script.sql",
    "digests.json",
)
_PACKAGE = Path(__file__).resolve().parents[1]
_MOST_OLD_FOLDERS = 4  # folders of other digests that may stay


@cache
def file(name: str) -> Path:
    """Return the path of a file; make it if it does not exist."""
    packaged = _PACKAGE / "built" / name
    if packaged.exists():
        return packaged
    path = _folder() / name
    if not path.exists():
        with workshop(path.parent) as place:
            _MAKERS[name](place / name)
            (place / name).replace(path)
    return path


def make_all(folder: Path) -> None:
    """Make every file in a folder, for a wheel."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, made in _MAKERS.items():
        made(folder / name)


@cache
def _folder() -> Path:
    """Return the folder of the current digest; create it, and remove the oldest other folders."""
    place = _PACKAGE.parent / ".built"
    folder = place / _digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with workshop(folder):
            pass
    except OSError:
        made = tempfile.mkdtemp(prefix="tanon-duck-built-")
        atexit.register(shutil.rmtree, made, ignore_errors=True)
        return Path(made)
    others = sorted((p for p in place.iterdir() if p != folder), key=lambda p: p.stat().st_mtime)
    for old in others[:-_MOST_OLD_FOLDERS]:
        shutil.rmtree(old, ignore_errors=True)
    return folder


def _digest() -> str:
    found = hashlib.sha256(f"{duckdb.__version__} {__version__}".encode())
    for path in sorted(_digested_files()):
        found.update(str(path.name).encode())
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def _digested_files() -> Iterator[Path]:
    """Yield the files that decide the content of the built files."""
    yield from (_PACKAGE.parent / "sql").rglob("*.*")
    yield from (_PACKAGE / "macros").rglob("*.py")
    yield from (_PACKAGE / "errors.py", _PACKAGE / "quoting.py", Path(__file__))


def _make_connection(path: Path) -> None:
    from tanon_duck.macros import create_statements

    with duckdb.connect() as scratch:
        python_functions.register(scratch)
        _write_database(scratch, path, create_statements.connection_statements())


def _make_texts(path: Path) -> None:
    from tanon_duck.macros import argument_facts

    with duckdb.connect() as scratch:
        _write_database(scratch, path, argument_facts.statements(), argument_facts.rows())


def _make_script(path: Path) -> None:
    from tanon_duck.macros import create_statements

    path.write_text(create_statements.script(), encoding="utf-8")


def _make_digests(path: Path) -> None:
    own = {duckdb.__version__: [_compute_digests(from_file) for from_file in (True, False)]}
    path.write_text(json.dumps(own))


_MAKERS: dict[str, Callable[[Path], None]] = {
    CONNECTION: _make_connection,
    TEXTS: _make_texts,
    SCRIPT: _make_script,
    DIGESTS: _make_digests,
}


def _write_database(
    connection: duckdb.DuckDBPyConnection,
    path: Path,
    statements: Iterable[str],
    plans: list[tuple[str, str]] | None = None,
) -> None:
    """Write a database file with these macros, and a table of plans, for the stock shell too."""
    connection.execute(
        f"attach {quoting.literal(str(path))} as tanon (storage_version '{STORAGE_OF_THE_SHELL}')"
    )
    statements = tuple(statements)
    try:
        connection.execute(in_one_transaction(statements))
    except duckdb.Error:
        _raise_located(connection, statements)
        raise
    if plans:
        connection.execute("create table tanon.plans (function varchar, plan varchar)")
        connection.executemany("insert into tanon.plans values (?, ?)", plans)
    connection.execute("detach tanon")


def _raise_located(connection: duckdb.DuckDBPyConnection, statements: Iterable[str]) -> None:
    """Raise the error of the first statement that DuckDB refuses, with file and line."""
    from tanon_duck.macros import macro_lint

    connection.execute("rollback")
    for statement in statements:
        try:
            connection.execute(statement)
        except duckdb.Error as error:
            raise macro_lint.located(statement, error) from None


def in_one_transaction(statements: Iterable[str]) -> str:
    """Join statements to one text that runs them in one transaction."""
    return ";\n".join(["begin", *statements, "commit"])


def are_own(connection: duckdb.DuckDBPyConnection, found: installed_functions.Listed) -> bool:
    """Return whether the functions of a database are the ones that this package installs.

    Compare their definitions, then their defaults. The digest of definitions exists twice, because
    an older file format prints types in another way. No function runs before its definition passed.
    """
    definitions = installed_functions.definitions_digest(found)
    defaults = [each[1] for each in _installed() if each[0] == definitions]
    return bool(defaults) and installed_functions.defaults_digest(connection, found) in defaults


@cache
def _installed() -> list[list[str]]:
    known: dict[str, list[list[str]]] = json.loads(file(DIGESTS).read_text())
    # Another version of DuckDB may print a definition in another way.
    return known.get(duckdb.__version__) or [
        _compute_digests(from_file) for from_file in (True, False)
    ]


def _compute_digests(from_file: bool) -> list[str]:
    """Install the functions in a scratch database; return digests of definitions and defaults."""
    from tanon_duck.macros import create_statements

    statements = create_statements.install_statements()
    with workshop(Path(tempfile.gettempdir())) as folder, duckdb.connect() as scratch:
        python_functions.register(scratch)
        if from_file:
            path = folder / "functions.duckdb"
            _write_database(scratch, path, statements)
            scratch.execute(f"attach {quoting.literal(str(path))} as tanon (read_only)")
        else:
            scratch.execute("attach ':memory:' as tanon (read_write)")
            scratch.execute(in_one_transaction(statements))
        found = installed_functions.listed(scratch, "tanon", "main")
        return [
            installed_functions.definitions_digest(found),
            installed_functions.defaults_digest(scratch, found),
        ]


def attach(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    """Attach a built database file, for example ``connection.duckdb``, as the catalog ``tanon``."""
    path = quoting.literal(str(file(name)))
    connection.execute(f"attach {path} as tanon (read_only)")
