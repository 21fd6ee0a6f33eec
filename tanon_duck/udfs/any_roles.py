"""Whether a column comment may declare a role that a call needs, read while DuckDB binds it."""

import pyarrow as pa
from duckdb.func import DEFAULT

from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._arrow import boolean_array
from tanon_duck.udfs._instances import Instance

# The query may find a table that the call does not read. The call is then only slower. Every
# function has its schema in front, so that no macro of the user's database can replace it.
_TABLE_WITH_ROLES = """
select table_name from system.main.duckdb_columns()
where system.main.contains(comment, '[tanon: ')
    and system.main.contains(system.main.lower($text), system.main.lower(table_name))
limit 1
"""


@arrow_function(
    parameters=["VARCHAR"],
    returns="BOOLEAN",
    null_handling=DEFAULT,
    side_effects=True,
    takes_instance=True,
)
def any_roles(instance: Instance, texts: pa.ChunkedArray) -> pa.Array:
    """Return for each text whether it contains the name of a table with a declared role."""
    with instance.cursor() as cursor:
        found = [
            bool(cursor.execute(_TABLE_WITH_ROLES, {"text": text}).fetchall())
            for text in texts.to_pylist()
        ]
    return boolean_array(found)
