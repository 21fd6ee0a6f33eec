"""Small tables for tests: from lists of dicts to DuckDB, and random ones with ties and NULLs."""

import duckdb
from hypothesis import strategies as st

from tanon_duck.quoting import identifier

VALUES = st.one_of(st.none(), st.sampled_from(["a", "b", "A", "", "null"]))
PEOPLE = st.integers(min_value=1, max_value=6)
VISITS = st.lists(st.fixed_dictionaries({"who": PEOPLE, "q1": VALUES, "q 2": VALUES}), max_size=25)


def create(con: duckdb.DuckDBPyConnection, name: str, types: dict[str, str], rows: list[dict]):
    """A table of these columns and rows."""
    columns = ", ".join(f"{identifier(c)} {t}" for c, t in types.items())
    con.execute(f"create or replace table {identifier(name)} ({columns})")
    if rows:
        places = ", ".join("?" for _ in types)
        con.executemany(
            f"insert into {identifier(name)} values ({places})",
            [[r[c] for c in types] for r in rows],
        )


VISIT_TYPES = {"who": "integer", "q1": "varchar", "q 2": "varchar"}
