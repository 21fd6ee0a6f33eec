"""Durable streaming publication: reposition as snapshots arrive, kept in the user's database.

A publication is a schema, and all of it stays with the publisher: its table ``released`` has
eligible snapshots, which ``tanon.publish_table_pair`` splits into the two tables for others.
Each advance is one transaction, so that a process killed at any moment leaves either the state
before or the state after it.
"""

from tanon_duck.publishing.beginning import publication
from tanon_duck.publishing.releasing import Release, release
from tanon_duck.publishing.stream import Progress, Publication

__all__ = ["Progress", "Publication", "Release", "publication", "release"]
