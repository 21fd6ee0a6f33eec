"""Publish temporal data with checked privacy promises, in SQL, inside DuckDB."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from tanon_duck._version import __version__

if TYPE_CHECKING:
    from tanon_duck.errors import TanonError
    from tanon_duck.interfaces.call_sql import sql, steps
    from tanon_duck.interfaces.connection import connect, install
    from tanon_duck.interfaces.policy_check import check
    from tanon_duck.interfaces.role_declarations import set_roles
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
    "check": "interfaces.gate",
    "connect": "interfaces.connection",
    "set_roles": "interfaces.declaring",
    "install": "interfaces.connection",
    "new_secret": "secret",
    "publication": "publishing",
    "release": "publishing",
    "report": "reporting",
    "sql": "interfaces.preview",
    "steps": "interfaces.preview",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
