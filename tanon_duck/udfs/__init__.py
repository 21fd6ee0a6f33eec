"""Python functions that DuckDB calls: each file declares one function with ``@arrow_function``.

SQL calls the function in ``<name>.py`` as ``tanon._answer(tanon_<name>(...))``. Each row of its
result holds an answer or an error message. ``tanon._answer`` raises the message as a SQL error.

Functions take Arrow columns and return an Arrow array. The computation itself is in
``tanon_duck.algorithms``, which knows neither DuckDB nor Arrow. Modules with a leading underscore
are shared: ``_arrow`` makes Arrow arrays, ``_series_arrays`` and ``_itemset_arrays`` translate
series and itemsets, ``_instances`` opens cursors, ``_registry`` registers all functions.
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
    """A function over Arrow arrays with everything that its registration in DuckDB needs."""

    name: str
    call: Callable[..., Any]
    parameters: tuple[str, ...]  # SQL types
    returns: str  # SQL type
    null_handling: FunctionNullHandling
    side_effects: bool
    takes_instance: bool = False  # the first Python argument is the Instance of the database

    @property
    def sql_name(self) -> str:
        """The name in DuckDB. The underscore sorts it behind user functions in completions."""
        return f"_tanon_{self.name}"


def arrow_function(
    *,
    parameters: list[str],
    returns: str,
    null_handling: FunctionNullHandling,
    side_effects: bool,
    takes_instance: bool = False,
) -> Callable[[Callable[..., Any]], ArrowFunction]:
    """Declare the function of a file, with SQL types of its parameters and of its answer.

    SQL files call it as ``tanon_<name>``. With ``takes_instance`` the function gets the
    ``Instance`` of the database as its first argument, in front of the columns.
    """

    def declare(call: Callable[..., Any]) -> ArrowFunction:
        """Return the declaration of this function."""
        return ArrowFunction(
            call.__name__,
            _called_by_duckdb(call, returns),
            tuple(parameters),
            f"STRUCT(answer {returns}, refused VARCHAR)",
            null_handling,
            side_effects,
            takes_instance,
        )

    return declare


def _called_by_duckdb(call: Callable[..., Any], returns: str) -> Callable[..., Any]:
    """Wrap a function so that it can be interrupted and returns a TanonError as a message.

    The wrapper returns structs ``(answer, refused)``. If ``call`` raises a TanonError, every
    ``refused`` holds its message and every ``answer`` is NULL. Other errors pass through.
    """

    @wraps(call)
    def called(*columns: Any) -> pa.Array:
        """Call the function with Arrow columns, and return structs (answer, refused)."""
        rows = len(columns[-1])
        try:
            with stoppable():
                answer, refused = call(*columns), pa.nulls(rows, pa.string())
        except TanonError as error:
            answer, refused = pa.nulls(rows, arrow_type(returns)), pa.array([str(error)] * rows)
        if isinstance(answer, pa.ChunkedArray):
            answer = answer.combine_chunks()
        return pa.StructArray.from_arrays([answer, refused], names=["answer", "refused"])

    # DuckDB reads the signature to count the parameters. That of ``called`` is (*columns).
    called.__dict__["__signature__"] = inspect.signature(call)
    return called
