"""Publish temporal data without giving anyone away, in SQL, inside DuckDB."""

__version__ = "0.1.0"

from tanon_duck.connection import connect, install
from tanon_duck.errors import TanonError
from tanon_duck.preview import sql, steps
from tanon_duck.publication import publication
from tanon_duck.secret import new_secret

__all__ = [
    "TanonError",
    "__version__",
    "connect",
    "install",
    "new_secret",
    "publication",
    "sql",
    "steps",
]
