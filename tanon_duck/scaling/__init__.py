"""Tables larger than one machine's memory: the same SQL over shards (docs/guides/scaling.md).

``buckets(con)`` runs functions over hash buckets on one machine, ``scaling.spark`` over Spark.
The rest of the package knows nothing of it.
"""

from tanon_duck.scaling.on_buckets import buckets as buckets
