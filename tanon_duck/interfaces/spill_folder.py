"""Give DuckDB a private folder for data that exceeds the memory: it contains rows of people.

By default DuckDB writes to ``.tmp`` or beside the database. Other users may read that folder, and a
killed process leaves it. Here each process has one folder with mode 0700 in ``root`` or in the
system's temporary folder. The process removes it at its end, or the next process at its start.
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
