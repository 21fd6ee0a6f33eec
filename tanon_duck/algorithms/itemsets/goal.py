"""What a search of itemsets looks for, and what it finds."""

from __future__ import annotations

from dataclasses import dataclass

from .transactions import Codes, Integers


@dataclass(frozen=True)
class Goal:
    """The itemsets to search: frequent ones, only closed ones, or only maximal ones.

    ``maximal`` requires ``closed``.
    """

    min_count: int
    closed: bool
    maximal: bool
    max_length: int


@dataclass(frozen=True)
class Found:
    """Itemsets as ranks, padded with -1, their supports, and the number of itemsets examined."""

    ranks: Codes
    supports: Integers
    examined: int = 0
