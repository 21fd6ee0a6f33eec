"""Durable streaming publication: reposition as snapshots arrive, kept in the user's database.

A publication is a schema: its table ``released`` is for others, all else stays with the publisher.
Each advance is one transaction, so that a process killed at any moment leaves either the state
before or the state after it.
"""

from tanon_duck.publication.stream import Progress, Publication, publication

__all__ = ["Progress", "Publication", "publication"]
