"""Run functions on tables larger than memory, shard by shard (docs/guides/scaling.md).

``buckets(con)`` divides a table into hash buckets on one machine. ``scaling.spark`` uses Spark. No
other package imports this one.
"""

from tanon_duck.scaling.on_buckets import buckets as buckets
