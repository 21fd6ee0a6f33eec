"""Whether any role is declared that may be of a relation, asked while a call is bound."""

import pyarrow as pa
from duckdb.func import DEFAULT

from tanon_duck.udfs import arrow_function
from tanon_duck.udfs._arrow import truths
from tanon_duck.udfs._instances import Instance

# Rather too many: a call that looks for roles in vain is only slower. No function and no operator
# here has no catalogue in front: a macro of the user's database could stand in for it.
_ANY = """
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
    of_instance=True,
)
def any_roles(instance: Instance, texts: pa.ChunkedArray) -> pa.Array:
    """Tell, for each text, whether a comment declares a role of a relation that it may name."""
    with instance.cursor() as cursor:
        found = [
            bool(cursor.execute(_ANY, {"text": text}).fetchall()) for text in texts.to_pylist()
        ]
    return truths(found)
