"""Open a database; explain why a path cannot be opened."""

from os import PathLike
from pathlib import Path
from typing import Any

import duckdb

from tanon_duck.errors import TanonError, not_a_database, one_line


def opened(
    path: str | PathLike[str], function: str = "connect", **options: Any
) -> duckdb.DuckDBPyConnection:
    """Open a DuckDB connection; ``function`` is the name that error messages begin with."""
    try:
        return duckdb.connect(str(path), **options)
    except duckdb.Error as error:
        if isinstance(error, duckdb.IOException) and (said := _no_place(Path(path))):
            raise TanonError(f"tanon_duck.{function}: database must be {said}") from None
        if "WAL" in str(error) and Path(f"{path}.wal").exists():
            raise TanonError(
                f"{path} cannot be opened with the log beside it ({one_line(error)}): move "
                f"{path}.wal away, and the file stands as at its last checkpoint; what a "
                "publication released since comes again, row by row the same, with its next "
                "advance; other tables lack what the log held"
            ) from None
        if "not a valid DuckDB database" in str(error):
            raise TanonError(not_a_database(path)) from None
        raise


def _no_place(path: Path) -> str:
    """Return why a path cannot hold a database, or an empty text if the path is fine."""
    if path.is_dir():
        return f"a file, got the folder {path}"
    if not path.absolute().parent.is_dir():
        return f"in a folder that is there, got {path}"
    return ""
