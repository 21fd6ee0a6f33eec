"""The SQL that a call will run, as text: to read it first, or to run it elsewhere."""

from typing import Any

import duckdb

from tanon_duck import builtin_functions, catalog, python_functions, rendering
from tanon_duck.errors import TanonError, is_scalar, unknown_argument


def sql(function: str, **arguments: Any) -> str:
    """The complete SQL of ``FROM tanon.<function>(...)`` with these arguments filled in.

    It is the very text that the macro hands to DuckDB, made by the same expression; wrong
    arguments are refused here in the same words.
    """
    described = catalog.function(function)
    if described.is_scalar:
        raise TanonError(is_scalar(function))
    header = described.header
    known = [a.name for a in header.arguments]
    for name in arguments:
        if name not in known:
            raise TanonError(unknown_argument(function, name, known))
    expression = builtin_functions.with_catalog(
        rendering.text_expression(function, header, described.body)
    )
    with duckdb.connect() as scratch:
        scratch.execute("attach ':memory:' as tanon")
        for statement in catalog.private_statements():
            scratch.execute(statement)
        scratch.execute(f"create macro tanon.text({header.signature()}) as ({expression})")
        given = ", ".join(f"{name} := ${name}" for name in arguments)
        try:
            rows = scratch.execute(f"select tanon.text({given})", arguments).fetchall()
        except duckdb.InvalidInputException as error:
            raise TanonError(str(error).removeprefix("Invalid Input Error: ")) from None
    return python_functions.with_sql_names(str(rows[0][0]))
