"""Types that all methods of repositioning share: settings, flows, state and window.

A method receives the counts of a stream snapshot by snapshot. It decides in which later snapshot
each record is published, so that every published snapshot is l-eligible: no value has more than
one l-th of its records. Snapshots and values are integers.

- origin: the snapshot in which a record truly is.
- slot: the snapshot in which the record is published, at most w - 1 after the origin. The slot
  None means that the record is suppressed.
- mu: the information loss of a moved record by its distance, slot - origin.
- beta: the information loss of a suppressed record, by its value.
- window: the last w snapshots. Only their records can still change their slot.

Losses are integers, in millionths.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

# (value, origin, slot, number of records)
Flow = tuple[int, int, int | None, int]
# The number of records of each value in one snapshot.
Counts = Mapping[int, int]


@dataclass(frozen=True)
class Settings:
    """The arguments of repositioning: l, w, mu(0), ..., mu(w), and the beta of each value."""

    l: Fraction  # noqa: E741
    w: int
    mu: Sequence[int]
    betas: Sequence[int]

    def loss(self, flow: Flow) -> int:
        """Return the information loss of a flow in millionths."""
        value, origin, slot, records = flow
        return records * (self.betas[value] if slot is None else self.mu[slot - origin])


@dataclass(frozen=True)
class State:
    """A stream that stopped, from which it can continue.

    ``now`` is the last snapshot, ``rows`` are the records of the window. If not ``placed``, no
    record has a slot yet, so that the slot None does not mean suppressed.
    """

    now: int | None = None
    rows: list[Flow] = field(default_factory=list)
    placed: bool = True


class Window(Protocol):
    """A method of repositioning, which keeps the records of the window."""

    now: int | None

    def step(self, now: int, counts: Counts) -> list[Flow]:
        """Add a snapshot with its counts, and return the flows that cannot change any more."""

    def idle(self) -> bool:
        """Return whether an empty snapshot would change nothing."""

    def finish(self) -> list[Flow]:
        """End the stream, and return the flows of all records of the window."""

    def state(self) -> State:
        """Return the records of the window, to continue later."""

    def restore(self, state: State) -> None:
        """Continue from the state of another window with the same settings."""


def loss(settings: Settings, flows: Iterable[Flow]) -> int:
    """Return the information loss of all flows together, in millionths."""
    return sum(settings.loss(flow) for flow in flows)
