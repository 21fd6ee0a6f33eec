"""The functions as a small database file that every connection attaches, instead of creating them.

Creating all macros takes DuckDB some hundred milliseconds, attaching a file of them about ten. A
file is made once for each version of the package and of DuckDB, in the user's cache folder; where
that cannot be written the functions are created in memory each time. ``TANON_DUCK_CACHE`` names
another folder; empty, it turns the cache off.

What is in the file is run, so that it is used only where nobody else can have written it: the
folder is ours alone, none above it can be changed by others, and nothing on the way is a link that
others made. A broken file is made anew. The folder may hold files of others, which stay: only a
file with a name of ours is ever taken away.
"""

import contextlib
import hashlib
import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import product
from pathlib import Path

import duckdb

from tanon_duck import quoting
from tanon_duck._version import __version__
from tanon_duck.doors import trust
from tanon_duck.doors.unfinished import workshop
from tanon_duck.macros import catalog, creating
from tanon_duck.udfs import _registry as python_functions

# What the stock shell of today can open; by itself DuckDB 2.0 writes a newer format.
STORAGE_OF_THE_SHELL = "v1.5.0"
_KEPT = 8  # files of other versions that may stay
# What a file holds: all functions, the long ones as what hands on their calls; or what makes texts.
FUNCTIONS, TEXTS = "functions", "texts"
_DIGESTS = re.compile("[0-9a-f]{64} [0-9a-f]{64}")
# The names that we give: a version, a digest of the sources, what it holds, a digest of the bytes.
_OWN_NAME = re.compile(rf".+-[0-9a-f]{{16}}-(?:{FUNCTIONS}|{TEXTS})-([0-9a-f]{{32}})\.duckdb")


@cache
def file(holding: str = FUNCTIONS) -> Path | None:
    """The file of this version, made if need be; None where none can be kept."""
    folder = _folder()
    if folder is None:
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not _is_ours_alone(folder):
            return None
        return _whole_file(folder, holding) or _make(folder, holding)
    except (OSError, duckdb.Error):
        return None


def attach(connection: duckdb.DuckDBPyConnection, holding: str = FUNCTIONS) -> None:
    """The functions as a catalog ``tanon``: from the file where that can be, else in memory."""
    if not _attached_from_file(connection, holding):
        _create(connection, _statements(holding))


def _attached_from_file(connection: duckdb.DuckDBPyConnection, holding: str) -> bool:
    """Attach the file; one that newer versions have dropped since we looked is made again."""
    for _ in range(2):
        kept = file(holding)
        if kept is None:
            return False
        with contextlib.suppress(duckdb.Error):
            connection.execute(f"attach {quoting.literal(str(kept))} as tanon (read_only)")
            return True
        if kept.exists():
            return False
        file.cache_clear()
    return False


def _create(connection: duckdb.DuckDBPyConnection, statements: Iterable[str]) -> None:
    connection.execute("attach ':memory:' as tanon (read_write)")
    connection.execute(_in_one(statements))


def _in_one(statements: Iterable[str]) -> str:
    """Everything in one transaction, for a catalog that is attached as ``tanon``."""
    return ";\n".join(["begin", *statements, "commit"])


def _statements(holding: str) -> tuple[str, ...]:
    return creating.texts_statements() if holding == TEXTS else creating.handing_on_statements()


def are_own(connection: duckdb.DuckDBPyConnection, found: trust.Listed, installed: bool) -> bool:
    """Whether the functions found there are the package's own, by definitions and by defaults.

    Installed in a database, or those of a connection. DuckDB prints a type as the format of a file
    keeps it, so that there are two: that of a file of the older format, and that of a newer one,
    which is that of memory. Nothing of what was found runs before its definitions are ours.
    """
    definitions = trust.definitions_digest(found)
    own = [_digests(installed, from_file).split() for from_file in (True, False)]
    defaults = [each[1] for each in own if each[0] == definitions]
    return bool(defaults) and trust.defaults_digest(connection, found) in defaults


def _digests(installed: bool, from_file: bool) -> str:
    """Those of our own, of this DuckDB; kept by the file of functions, as they are long to take.

    Whoever can write there can write the functions that every connection runs.
    """
    noted = _note(installed, from_file)
    if noted is None:
        return _reckoned(installed, from_file)
    with contextlib.suppress(OSError):
        if _is_private(noted.lstat(), stat.S_ISREG) and _DIGESTS.fullmatch(noted.read_text()):
            return noted.read_text()
    digests = _reckoned(installed, from_file)
    with contextlib.suppress(OSError), workshop(noted.parent) as place:
        made = place / "made.txt"
        made.write_text(digests)
        made.chmod(0o600)
        made.replace(noted)
    return digests


def _note(installed: bool, from_file: bool) -> Path | None:
    """Where the digests are kept: beside the file, under its name, which tells its content."""
    kept = file()
    return kept and _note_beside(kept, installed, from_file)


def _note_beside(kept: Path, installed: bool, from_file: bool) -> Path:
    what = f"{'installed' if installed else 'attached'}.{'file' if from_file else 'memory'}"
    return kept.with_name(f"{kept.stem}.{what}.txt")


@cache
def _reckoned(installed: bool, from_file: bool) -> str:
    statements = creating.install_statements() if installed else creating.handing_on_statements()
    with workshop(Path(tempfile.gettempdir())) as folder, duckdb.connect() as scratch:
        python_functions.register(scratch)
        if from_file:
            path = folder / "functions.duckdb"
            _write(scratch, path, statements)
            scratch.execute(f"attach {quoting.literal(str(path))} as tanon (read_only)")
        else:
            _create(scratch, statements)
        found = trust.listed(scratch, "tanon", "main")
        return f"{trust.definitions_digest(found)} {trust.defaults_digest(scratch, found)}"


def _write(connection: duckdb.DuckDBPyConnection, path: Path, statements: Iterable[str]) -> None:
    """The file in a format that the stock shell can read."""
    connection.execute(
        f"attach {quoting.literal(str(path))} as tanon (storage_version '{STORAGE_OF_THE_SHELL}')"
    )
    connection.execute(_in_one(statements))
    connection.execute("detach tanon")


def _folder() -> Path | None:
    named = os.environ.get("TANON_DUCK_CACHE")
    if named is not None:
        return Path(named) if named else None
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "tanon_duck"
    except RuntimeError:  # no home
        return None


def _digest() -> str:
    """What the file depends on: DuckDB, and every source by name, size and time of change."""
    sources = hashlib.sha256(duckdb.__version__.encode())
    for root in (Path(__file__).parents[1], Path(str(catalog.sql_root()))):
        for path in sorted(_sources(root), key=str):
            state = path.stat()
            sources.update(f"{path}|{state.st_size}|{state.st_mtime_ns}\n".encode())
    return sources.hexdigest()[:16]


def _sources(root: Path) -> Iterator[Path]:
    for folder, _, names in os.walk(root):
        yield from (Path(folder, name) for name in names if name.endswith((".py", ".sql")))


def _whole_file(folder: Path, holding: str) -> Path | None:
    """The file of this version; one with a name of ours and other bytes is taken away."""
    for path in folder.glob(f"{_stem(holding)}-*.duckdb"):
        if not _OWN_NAME.fullmatch(path.name):
            continue
        if _is_as_made(path):
            return path
        path.unlink()
    return None


def _is_as_made(path: Path) -> bool:
    """Whether it has a name of ours, and the bytes of which the name tells the digest."""
    named = _OWN_NAME.fullmatch(path.name)
    if not named or not _is_private(path.lstat(), stat.S_ISREG):
        return False
    return named[1] == _content_digest(path)


def _content_digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:32]


def _make(folder: Path, holding: str) -> Path:
    """Written beside its place and moved there, so that nobody sees half of it."""
    with workshop(folder) as place:
        made = place / "made.duckdb"
        with duckdb.connect() as scratch:
            python_functions.register(scratch)
            _write(scratch, made, _statements(holding))
        made.chmod(0o600)
        kept = made.replace(_place(folder, holding, made))
    _drop_old(folder)
    return kept


@cache
def _stem(holding: str) -> str:
    return f"{__version__}-{_digest()}-{holding}"


def _place(folder: Path, holding: str, content: Path) -> Path:
    """The path that holds this content: its name tells what must be in it."""
    return folder / f"{_stem(holding)}-{_content_digest(content)}.duckdb"


def _drop_old(folder: Path) -> None:
    """Take away the oldest of the files that we wrote, with their notes; never another file."""
    own = [path for path in folder.glob("*.duckdb") if _is_as_made(path)]
    own.sort(key=lambda p: p.lstat().st_mtime, reverse=True)
    for old in own[2 + _KEPT :]:
        notes = [_note_beside(old, i, f) for i, f in product((True, False), repeat=2)]
        for path in (old, *notes):
            with contextlib.suppress(OSError):
                path.unlink()


def _is_ours_alone(folder: Path) -> bool:
    """Whether nobody else can put a file or a folder in the place of ours."""
    if not hasattr(os, "getuid"):
        return True
    given = folder.absolute()
    above = {*given.parents, *given.resolve().parents}
    return _is_private(given.lstat(), stat.S_ISDIR) and all(_is_safe(p.lstat()) for p in above)


def _is_private(state: os.stat_result, is_kind: Callable[[int], bool]) -> bool:
    """Whether it is what it should be, no link, and only ours to write."""
    if not hasattr(os, "getuid"):
        return is_kind(state.st_mode)
    return is_kind(state.st_mode) and state.st_uid == os.getuid() and not state.st_mode & 0o022


def _is_safe(state: os.stat_result) -> bool:
    """Whether others cannot rename what is in a folder on the way, or change a link.

    A folder for all, such as /tmp, keeps each user's own safe by its sticky bit. Many systems give
    every user a group of the same number, which then is no other.
    """
    if state.st_uid not in (os.getuid(), 0):
        return False
    if stat.S_ISLNK(state.st_mode) or state.st_mode & stat.S_ISVTX:
        return True
    own_group = state.st_gid == state.st_uid == os.getuid()
    return not state.st_mode & (0o002 if own_group else 0o022)
