"""Publish temporal data without giving anyone away, in SQL, inside DuckDB."""
