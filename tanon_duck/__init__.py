"""Publish temporal data with checked privacy promises, in SQL, inside DuckDB."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tanon_duck._version import __version__

if TYPE_CHECKING:
    from tanon_duck.doors.connection import connect, install
    from tanon_duck.doors.declaring import set_roles
    from tanon_duck.doors.gate import check
    from tanon_duck.doors.preview import sql, steps
    from tanon_duck.errors import TanonError
    from tanon_duck.publishing import publication
    from tanon_duck.publishing.releasing import release
    from tanon_duck.reporting import report
    from tanon_duck.secret import new_secret

__all__ = [
    "TanonError",
    "__version__",
    "check",
    "connect",
    "install",
    "new_secret",
    "publication",
    "release",
    "report",
    "set_roles",
    "sql",
    "steps",
]
# What is imported when it is first asked for, so that a version costs no database.
_HOMES = {
    "TanonError": "errors",
    "check": "doors.gate",
    "connect": "doors.connection",
    "set_roles": "doors.declaring",
    "install": "doors.connection",
    "new_secret": "secret",
    "publication": "publishing",
    "release": "publishing",
    "report": "reporting",
    "sql": "doors.preview",
    "steps": "doors.preview",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
