"""The roles that column comments declare, read while DuckDB binds a call."""

import pyarrow as pa
from duckdb.func import DEFAULT

from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._arrow import arrow_type
from tanon_duck.udfs._instances import Instance

_ROLES = (
    "struct(database varchar, schema varchar, relation varchar, column_name varchar, "
    "role varchar, how varchar)[]"
)


@arrow_function(
    parameters=["VARCHAR"],
    returns=_ROLES,
    null_handling=DEFAULT,
    side_effects=True,
    takes_instance=True,
)
def declared_roles(instance: Instance, names: pa.ChunkedArray) -> pa.Array:
    """Return for each name the roles in the column comments of tables and views of that name."""
    with instance.cursor() as cursor:
        found = [
            cursor.execute("select tanon._declared($name)", {"name": name}).fetchall()[0][0]
            for name in names.to_pylist()
        ]
    return pa.array(found, arrow_type(_ROLES))
