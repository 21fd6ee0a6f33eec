"""Publish temporal data without giving anyone away, in SQL, inside DuckDB."""

from tanon_duck._version import __version__
from tanon_duck.doors.connection import connect, install
from tanon_duck.doors.declaring import declare
from tanon_duck.doors.gate import check
from tanon_duck.doors.preview import sql, steps
from tanon_duck.errors import TanonError
from tanon_duck.publishing import publication, release
from tanon_duck.secret import new_secret

__all__ = [
    "TanonError",
    "__version__",
    "check",
    "connect",
    "declare",
    "install",
    "new_secret",
    "publication",
    "release",
    "sql",
    "steps",
]
