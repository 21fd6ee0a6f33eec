"""Publish a stream in steps and keep its state in the user's database.

A publication is a schema of the user's database. Its table ``released`` contains the released
snapshots and is for the owner. ``tanon.publish_table_pair`` splits this table into the two tables
that others may receive.

Each step is one transaction. If the process is killed, the database contains the state before the
step or the state after it.
"""

from tanon_duck.publishing.beginning import publication
from tanon_duck.publishing.releasing import Release, release
from tanon_duck.publishing.stream import Progress, Publication

__all__ = ["Progress", "Publication", "Release", "publication", "release"]
