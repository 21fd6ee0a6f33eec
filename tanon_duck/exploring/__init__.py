"""Explore a table on a local page: what k, suppression and granularity would cost."""

from tanon_duck.exploring.server import ExplorerServer
from tanon_duck.exploring.table import ExploredTable

__all__ = ["ExploredTable", "ExplorerServer"]
