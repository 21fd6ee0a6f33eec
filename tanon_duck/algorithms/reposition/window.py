"""What the ways of repositioning share: settings, flows, state, and the sliding window."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

# value, home, slot (None: suppressed), records
Flow = tuple[int, int, int | None, int]
Counts = Mapping[int, int]


@dataclass(frozen=True)
class Settings:
    """What a run needs to know: l, the window, mu(0..w) and beta per value in millionths."""

    l: Fraction  # noqa: E741
    w: int
    mu: Sequence[int]
    betas: Sequence[int]

    def loss(self, flow: Flow) -> int:
        """Return the information loss of a flow in millionths."""
        value, home, slot, records = flow
        return records * (self.betas[value] if slot is None else self.mu[slot - home])


@dataclass(frozen=True)
class State:
    """A stopped stream: the last instant seen, the open records, whether they have slots yet."""

    now: int | None = None
    rows: list[Flow] = field(default_factory=list)
    placed: bool = True


class Window(Protocol):
    """A method: it is given the snapshots one by one and hands out what is final."""

    now: int | None

    def step(self, now: int, counts: Counts) -> list[Flow]:
        """Let a snapshot arrive, return the flows that are final from now on."""

    def idle(self) -> bool:
        """Tell whether an empty snapshot could change nothing."""

    def finish(self) -> list[Flow]:
        """End the stream: return everything that is still open as it stands."""

    def state(self) -> State:
        """Return the open records as they stand."""

    def restore(self, state: State) -> None:
        """Continue from the state of another window of the same settings."""


def loss(settings: Settings, flows: Iterable[Flow]) -> int:
    """Return the information loss of flows in millionths."""
    return sum(settings.loss(flow) for flow in flows)
