"""From the SQL files of functions and steps to the macros that DuckDB runs."""
