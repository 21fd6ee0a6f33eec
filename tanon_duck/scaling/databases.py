"""Where shards are worked off: a database of this thread, opened once, and a cursor for each shard.

To open one costs more than a small shard does. What a shard made is gone with its cursor.
"""

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import duckdb

from tanon_duck.interfaces import spill_folder
from tanon_duck.interfaces.connection import connect
from tanon_duck.quoting import literal

Key = tuple[tuple[str, str], ...]


class _Open(threading.local):
    """The open database of a thread, and its settings."""

    def __init__(self) -> None:
        self.found: tuple[Key, duckdb.DuckDBPyConnection] | None = None


_open = _Open()


@contextmanager
def cursor(
    config: Mapping[str, str], settings: Mapping[str, str]
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Return a connection without tables and with exactly these settings."""
    key = (*sorted(config.items()), *sorted(settings.items()))
    if _open.found is None or _open.found[0] != key:
        close()
        spill_folder.root = spill_folder.root or _disk_of_spark()
        _open.found = key, connect(config=dict(config))
    with _open.found[1].cursor() as found:
        for name, value in settings.items():
            found.execute(f"set {name} = {literal(value)}")
        yield found


def _disk_of_spark() -> Path | None:
    """Return a folder that Spark deletes at its end, None outside of Spark."""
    folders = filter(None, os.environ.get("SPARK_LOCAL_DIRS", "").split(","))
    return next((Path(f) for f in folders if os.access(f, os.W_OK | os.X_OK)), None)


def close() -> None:
    """Close the thread's database."""
    if _open.found is not None:
        _open.found[1].close()
        _open.found = None
