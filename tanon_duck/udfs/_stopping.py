"""How a Python function that DuckDB runs learns that its query was interrupted.

DuckDB does not tell: see docs/decisions/interrupts.md for what was tried. So interrupts are noted
as they are made, and each running function asks which of them are its own.
"""

from __future__ import annotations

import inspect
import itertools
import sys
import time
import weakref
from collections import deque
from collections.abc import Callable
from functools import wraps
from types import FrameType
from typing import Any

import duckdb

from tanon_duck.algorithms.checkpoint import Interrupted, asking
from tanon_duck.udfs._pressed_keys import PressedKeys

# A function asks this often, and leaves DuckDB this long to see the interrupt by itself.
_ASK_SECONDS = 0.02
_GRACE_SECONDS = 0.15
_numbers = itertools.count(1)
_interrupts: deque[tuple[int, weakref.ref[duckdb.DuckDBPyConnection]]] = deque(maxlen=256)
_of_duckdb = duckdb.DuckDBPyConnection.interrupt


def _interrupt(self: duckdb.DuckDBPyConnection) -> None:
    """Interrupt pending operations, those of Python functions too."""
    _of_duckdb(self)
    _interrupts.append((next(_numbers), weakref.ref(self)))


def _interrupt_one(*, connection: duckdb.DuckDBPyConnection | None = None) -> None:
    """Interrupt pending operations of a connection, those of Python functions too."""
    _interrupt(connection or duckdb.default_connection())


duckdb.DuckDBPyConnection.interrupt = _interrupt  # type: ignore[method-assign]
duckdb.interrupt = _interrupt_one


def stoppable(call: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, stopped at a checkpoint soon after its query was interrupted."""

    @wraps(call)
    def stopped(*columns: Any) -> Any:
        caller = sys._getframe().f_back
        with PressedKeys(caller is None) as keys:
            try:
                with asking(_Question(keys).ask):
                    return call(*columns)
            except KeyboardInterrupt:
                _raise_in(caller, KeyboardInterrupt())
                raise
            except Interrupted:
                _raise_in(caller, duckdb.InterruptException("INTERRUPT Error: Interrupted!"))
                time.sleep(_GRACE_SECONDS if caller is None else 0.0)
                raise

    # DuckDB asks for it whenever a connection learns the function.
    stopped.__dict__["__signature__"] = inspect.signature(call)
    return stopped


class _Question:
    """Whether the query of one running function was interrupted since the function began."""

    def __init__(self, keys: PressedKeys) -> None:
        self._keys = keys
        self._seen = _last_number()
        self._next = time.monotonic() + _ASK_SECONDS

    def ask(self) -> None:
        """Raise if it was; most calls only look at the clock."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _ASK_SECONDS
        seen, self._seen = self._seen, _last_number()
        if self._seen > seen:
            recent = [connection for number, connection in list(_interrupts) if number > seen]
            if any(_runs_this_code(connection()) for connection in recent):
                raise Interrupted
        if self._keys.stop_the_query():
            raise Interrupted


def _last_number() -> int:
    return _interrupts[-1][0] if _interrupts else 0


def _runs_this_code(connection: duckdb.DuckDBPyConnection | None) -> bool:
    """DuckDB refuses to let code inside a query use the connection of the query, and says why."""
    try:
        _ = connection.rowcount if connection is not None else None
    except duckdb.Error as error:
        return "inside a query" in str(error)
    return False


def _raise_in(caller: FrameType | None, stop: BaseException) -> None:
    """Let the call of DuckDB end with this error, not with one that speaks of a function.

    What a function raises reaches the caller as InvalidInputException. A trace of the caller's
    frame sees that error first, and puts the true one in its place.
    """
    if caller is None:
        return
    tracer, of_frame = sys.gettrace(), caller.f_trace

    def replaced(frame: FrameType, event: str, _argument: Any) -> None:
        frame.f_trace = of_frame
        sys.settrace(tracer)
        if event == "exception":
            raise stop from None

    caller.f_trace = replaced
    sys.settrace(lambda _frame, _event, _argument: None)
