"""Where DuckDB puts what does not fit in memory: rows of people, so nobody else may read them.

By itself it writes to a folder beside the database, or ``.tmp`` where one stands, readable as the
umask says, and a run that is killed leaves it. Here each process has one folder in the system's
place for temporary files, or in ``root``, 0700, gone when the process ends or else at the next
start.
"""

import atexit
import contextlib
import hashlib
import itertools
import os
import tempfile
from pathlib import Path
from typing import IO

import duckdb

from tanon_duck.interfaces.temporary_folders import locked_folder, remove
from tanon_duck.quoting import literal

PREFIX = "tanon-duck-spill-"
root: Path | None = None  # where the folder of this process is to lie, if not in the system's place
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
    place = private_folder() / f"{os.getpid()}-{name}"
    with contextlib.suppress(duckdb.Error):  # settings may be locked
        connection.execute(f"set temp_directory = {literal(str(place))}")


def private_folder() -> Path:
    """Return the folder of this process for what does not fit in memory.

    A forked process has its own. A folder that was removed is made again under its name, as open
    connections write there.
    """
    folder = _made.get(os.getpid())
    if folder is None or not folder.is_dir():
        made, lock = locked_folder(root or Path(tempfile.gettempdir()), PREFIX)
        _made[os.getpid()] = made.rename(folder) if folder else made
        _held.append(lock)
    return _made[os.getpid()]


@atexit.register
def _remove_own() -> None:
    """Registered when this is imported, so that it comes after the connections are closed."""
    if folder := _made.get(os.getpid()):
        remove(folder)
        while _held:
            _held.pop().close()
