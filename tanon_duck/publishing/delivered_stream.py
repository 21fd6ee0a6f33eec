"""Describe the part of a publication that a delivery needs."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Protocol

from tanon_duck.publishing.parameters import Parameters
from tanon_duck.publishing.tables import Tables


class Stream(Protocol):
    """The methods of a publication that a delivery needs."""

    name: str
    parameters: Parameters
    tables: Tables

    def step(self, commit: bool = True) -> AbstractContextManager[None]:
        """Open a transaction for one step; roll it back if `commit` is false."""

    def pair(self, part: str) -> str:
        """Return SQL for the table 'individuals' or 'values'."""

    def check_of(self, individuals: str, values: str) -> tuple[str, dict[str, Any]]:
        """Return the call that checks two tables, and its prepared values."""
