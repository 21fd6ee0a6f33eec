"""Python functions that DuckDB calls: one file, one registered function."""
