"""Where DuckDB puts what does not fit in memory: rows of people, so nobody else may read them.

By itself it writes to a folder beside the database, or ``.tmp`` where one stands, readable as the
umask says, and a run that is killed leaves it. Here each process has one folder in the system's
place for temporary files, 0700, gone when the process ends. A lock tells that the process lives:
folders without one are left-overs of killed runs, and go at the next start.
"""

import atexit
import contextlib
import hashlib
import itertools
import os
import shutil
import stat
import tempfile
from functools import cache
from pathlib import Path
from typing import IO

import duckdb

from tanon_duck.quoting import literal

try:
    import fcntl
except ImportError:  # Windows: nothing tells which folders are left over, so none are taken away
    fcntl = None  # type: ignore[assignment]

_PREFIX = "tanon-duck-spill-"
_LOCK = "lock"
_numbers = itertools.count()
_made: dict[int, Path] = {}
_held: list[IO[bytes]] = []  # open as long as the process lives


def keep_private(connection: duckdb.DuckDBPyConnection) -> None:
    """Let the connection's database spill to a folder of its own, unless one was chosen."""
    path, current = connection.execute(
        "select path, system.main.current_setting('temp_directory') "
        "from system.main.duckdb_databases() "
        "where database_name = system.main.current_database()"
    ).fetchall()[0]
    if current not in ("", ".tmp", f"{path}.tmp"):
        return
    # One database has one folder, however many connections open it.
    name = hashlib.sha256(path.encode()).hexdigest()[:16] if path else str(next(_numbers))
    place = _folder(os.getpid()) / f"{os.getpid()}-{name}"
    with contextlib.suppress(duckdb.Error):  # settings may be locked
        connection.execute(f"set temp_directory = {literal(str(place))}")


def private_folder() -> Path:
    """The folder of this process for what does not fit in memory."""
    return _folder(os.getpid())


@cache
def _folder(process: int) -> Path:
    """The folder of this process; one that was forked has its own."""
    root = Path(tempfile.gettempdir())
    _remove_left_over(root)
    # It gets the name that is looked for only once it is locked.
    made = Path(tempfile.mkdtemp(prefix="tanon-duck-new-", dir=root))
    if fcntl is not None:
        lock = (made / _LOCK).open("wb")
        fcntl.flock(lock, fcntl.LOCK_EX)
        _held.append(lock)
    folder = made.rename(made.with_name(made.name.replace("tanon-duck-new-", _PREFIX)))
    _made[process] = folder
    return folder


@atexit.register
def _remove_own() -> None:
    """Registered when this is imported, so that it comes after the connections are closed."""
    if folder := _made.get(os.getpid()):
        shutil.rmtree(folder, ignore_errors=True)


def _remove_left_over(root: Path) -> None:
    if fcntl is None:
        return
    for folder in root.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):
            state = folder.lstat()
            if stat.S_ISDIR(state.st_mode) and state.st_uid == os.getuid():
                _remove_unless_locked(folder)


def _remove_unless_locked(folder: Path) -> None:
    with (folder / _LOCK).open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder)
