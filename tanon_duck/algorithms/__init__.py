"""Whole-set algorithms in numpy: no DuckDB, no SQL."""
