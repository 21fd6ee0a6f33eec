"""Publish temporal data without giving anyone away, in SQL, inside DuckDB."""

from tanon_duck._version import __version__
from tanon_duck.doors.connection import connect, install
from tanon_duck.doors.preview import sql, steps
from tanon_duck.errors import TanonError
from tanon_duck.publishing import publication
from tanon_duck.reporting import report
from tanon_duck.secret import new_secret

__all__ = [
    "TanonError",
    "__version__",
    "connect",
    "install",
    "new_secret",
    "publication",
    "report",
    "sql",
    "steps",
]
