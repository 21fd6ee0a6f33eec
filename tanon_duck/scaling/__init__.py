"""Where a table outgrows one machine: the same SQL over shards of it (docs/guides/scaling.md)."""
