"""Python functions that DuckDB calls: one file, one function, declared with ``arrow_function``.

SQL bodies call the function of ``<name>.py`` as ``tanon._answer(tanon_<name>(...))``: each row of
its result has an answer, or the message of a refusal, which SQL raises.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

import pyarrow as pa
from duckdb.func import FunctionNullHandling

from tanon_duck.algorithms.checkpoint import stoppable
from tanon_duck.errors import TanonError
from tanon_duck.udfs._arrow import arrow_type


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
            _called_by_duckdb(call, returns),
            tuple(parameters),
            f"STRUCT(answer {returns}, refused VARCHAR)",
            null_handling,
            side_effects,
            of_instance,
        )

    return declare


def _called_by_duckdb(call: Callable[..., Any], returns: str) -> Callable[..., Any]:
    """Return the function so that it can be stopped and returns its TanonError as a message."""

    @wraps(call)
    def called(*columns: Any) -> pa.Array:
        rows = len(columns[-1])
        try:
            with stoppable():
                answer, refused = call(*columns), pa.nulls(rows, pa.string())
        except TanonError as error:
            answer, refused = pa.nulls(rows, arrow_type(returns)), pa.array([str(error)] * rows)
        if isinstance(answer, pa.ChunkedArray):
            answer = answer.combine_chunks()
        return pa.StructArray.from_arrays([answer, refused], names=["answer", "refused"])

    # DuckDB reads the signature whenever a connection learns the function.
    called.__dict__["__signature__"] = inspect.signature(call)
    return called
