"""Repositions a stream of counts with one of the methods.

``reposition`` handles a whole stream. ``Repositioner`` handles it snapshot by snapshot, and can
stop and continue. ``new_window`` chooses the method from the arguments ``method``, ``start`` and
``late``.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from tanon_duck.algorithms.checkpoint import check
from tanon_duck.algorithms.reposition.companions import CompanionsWindow
from tanon_duck.algorithms.reposition.covered import CoveredWindow
from tanon_duck.algorithms.reposition.first import FirstWindow
from tanon_duck.algorithms.reposition.paper import PaperWindow
from tanon_duck.algorithms.reposition.replan import ReplanWindow
from tanon_duck.algorithms.reposition.step import StepWindow
from tanon_duck.algorithms.reposition.window import Counts, Flow, Settings, State, Window

IntArray = NDArray[np.int64]

METHODS = ("step", "window", "paper")
STARTS = ("stream", "ilp")
LATE = ("any", "covered")
COVERED = "where late is 'covered'"


class Repositioner:
    """Turns the counts of values in snapshots into flows of records."""

    def __init__(
        self,
        settings: Settings,
        method: str = "step",
        start: str = "stream",
        state: State | None = None,
        late: str = "any",
    ) -> None:
        """Begin a stream, or continue from the state of an earlier one."""
        self.window = new_window(settings, method, start, late)
        if state is not None:
            self.window.restore(state)

    def state(self) -> State:
        """Return the state from which another Repositioner can continue."""
        return self.window.state()

    def advance(
        self, instants: IntArray, values: IntArray, records: IntArray, upto: int | None = None
    ) -> list[Flow]:
        """Add snapshots, and return the flows that cannot change any more.

        Entry i says that snapshot ``instants[i]`` has ``records[i]`` records of ``values[i]``.
        Missing snapshots, and those after the last one up to ``upto``, are empty.
        """
        released: list[Flow] = []
        for now, counts in snapshots(instants, values, records):
            check()
            released += self._skip_to(now - 1)
            released += self.window.step(now, counts)
        if upto is not None:
            released += self._skip_to(upto)
        return released

    def _skip_to(self, last: int) -> list[Flow]:
        """Add empty snapshots up to ``last``; suppressed records may move into them."""
        released: list[Flow] = []
        while self.window.now is not None and self.window.now < last:
            check()
            idle = self.window.idle()
            released += self.window.step(last if idle else self.window.now + 1, {})
        return released

    def finish(self) -> list[Flow]:
        """End the stream, and return the flows of all records of the window."""
        return self.window.finish()


def new_window(settings: Settings, method: str, start: str, late: str = "any") -> Window:
    """Return the window of a method; raise ValueError if the arguments do not fit together.

    The method 'window' plans every window anew, so that ``start`` makes no difference to it.
    """
    if late not in LATE:
        raise ValueError(f"lateness must be 'any' or 'covered', got {late!r}")
    if late == "covered":
        if method not in ("step", "window"):
            raise ValueError(f"method must be 'step' or 'window' {COVERED}, got {method!r}")
        if start != "stream":
            raise ValueError(f"start must be 'stream' {COVERED}, got {start!r}")
        return CoveredWindow(settings) if method == "step" else CompanionsWindow(settings)
    if start not in STARTS:
        raise ValueError(f"start must be 'stream' or 'ilp', got {start!r}")
    if method == "window":
        return ReplanWindow(settings)
    if method not in METHODS:
        raise ValueError(f"method must be 'step', 'window' or 'paper', got {method!r}")
    steps = StepWindow(settings) if method == "step" else PaperWindow(settings)
    return FirstWindow(settings, steps) if start == "ilp" else steps


def snapshots(
    instants: IntArray, values: IntArray, records: IntArray
) -> Iterator[tuple[int, Counts]]:
    """Yield each snapshot that has records, in the order of time, with its counts."""
    order = np.lexsort((values, instants))
    instants, values, records = instants[order], values[order], records[order]
    starts = np.flatnonzero(np.diff(instants, prepend=instants[:1] - 1))
    ends = np.append(starts[1:], len(instants))
    value_list, record_list = values.tolist(), records.tolist()
    bounds = zip(instants[starts].tolist(), starts.tolist(), ends.tolist(), strict=True)
    for now, start, end in bounds if len(instants) else ():
        check()
        yield now, dict(zip(value_list[start:end], record_list[start:end], strict=True))


def reposition(
    settings: Settings,
    instants: Sequence[int] | IntArray,
    values: Sequence[int] | IntArray,
    records: Sequence[int] | IntArray,
    method: str = "step",
    start: str = "stream",
    late: str = "any",
) -> list[Flow]:
    """Return the flows of a whole stream of counts.

    Entry i says that snapshot ``instants[i]`` has ``records[i]`` records of ``values[i]``.
    """
    stream = Repositioner(settings, method, start, late=late)
    released = stream.advance(
        np.asarray(instants, np.int64), np.asarray(values, np.int64), np.asarray(records, np.int64)
    )
    return released + stream.finish()
