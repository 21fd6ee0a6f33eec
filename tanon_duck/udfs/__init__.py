"""Python functions that DuckDB calls: one file, one function, declared with ``arrow_function``.

SQL bodies call the function of ``<name>.py`` as ``tanon_<name>(...)``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from duckdb.func import FunctionNullHandling

from tanon_duck.udfs._stopping import stoppable


@dataclass(frozen=True)
class ArrowFunction:
    """A function over Arrow arrays with all that its registration has to spell out."""

    name: str
    call: Callable[..., Any]
    parameters: tuple[str, ...]
    returns: str
    null_handling: FunctionNullHandling
    side_effects: bool
    of_instance: bool = False  # its first argument is the instance that it is registered on

    @property
    def sql_name(self) -> str:
        """Short, and behind all other names where names are completed: it is not for users."""
        return f"_tanon_{self.name}"


def arrow_function(
    *,
    parameters: list[str],
    returns: str,
    null_handling: FunctionNullHandling,
    side_effects: bool,
    of_instance: bool = False,
) -> Callable[[Callable[..., Any]], ArrowFunction]:
    """Declare the one function of a file; its SQL name is ``tanon_`` and its Python name."""

    def declare(call: Callable[..., Any]) -> ArrowFunction:
        return ArrowFunction(
            call.__name__,
            stoppable(call),
            tuple(parameters),
            returns,
            null_handling,
            side_effects,
            of_instance,
        )

    return declare
