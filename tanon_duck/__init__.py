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
# Imported at first use, so that `tanon_duck.__version__` does not load DuckDB.
_MODULES = {
    "TanonError": "errors",
    "check": "interfaces.policy_check",
    "connect": "interfaces.connection",
    "set_roles": "interfaces.role_declarations",
    "install": "interfaces.connection",
    "new_secret": "secret",
    "publication": "publishing",
    "release": "publishing",
    "report": "reporting",
    "sql": "interfaces.call_sql",
    "steps": "interfaces.call_sql",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
