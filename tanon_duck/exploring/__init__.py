"""A page for the owner of a table: what k, suppression and granularity would cost, seen live."""

from tanon_duck.exploring.server import ExplorerServer
from tanon_duck.exploring.table import Explored

__all__ = ["Explored", "ExplorerServer"]
