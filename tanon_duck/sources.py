"""The CTEs that stand between a relation argument and the body that reads it.

For an argument ``source`` the body reads ``tanon_source``:

    tanon_given_source    the relation, an unknown column argument added as NULL so that all binds
    tanon_source_is_fine  one row; computing it raises if a column is unknown, of a wrong type,
                          taken by a result column, or holds NULL where it must not
    tanon_source          the given rows, read only once the row above is there
"""

from tanon_duck.errors import must_be_allowed, subject
from tanon_duck.header import Argument, Header
from tanon_duck.quoting import literal, literals


def ctes(function: str, header: Header, relation: Argument) -> str:
    """A SQL expression for the CTEs of one relation argument, commas between."""
    x = relation.name
    columns = [a for a in header.arguments if a.kind.is_column and a.kind.is_column_of(x)]
    names = ", ".join(["[]::varchar[]", *(f"tanon._list({a.name})" for a in columns)])
    fixed = literals([f"null::{type} as {name}" for name, type in relation.kind.columns])
    checks = _checks(function, header, relation, columns)
    if not checks:
        return f"tanon._given({literal(relation.cte_name)}, {x}, [], {fixed})"
    given = f"list_concat({names})" if columns else "[]"
    return f"tanon._checked({literal(x)}, {x}, {given}, {fixed}, [{', '.join(checks)}])"


def _checks(
    function: str, header: Header, relation: Argument, columns: list[Argument]
) -> list[str]:
    """SQL expressions for the texts of subqueries that raise; empty where nothing is asked."""
    x = relation.name
    checks = []
    if relation.kind.columns:
        say = literal(must_be_allowed(function, x, relation.kind.allowed))
        names = literals([name for name, _ in relation.kind.columns])
        checks.append(f"tanon._lacking_columns({say}, {x}, {names})")
    for a in columns:
        checks += _column_checks(function, relation, a)
    if f"{x}.*" in header.passed_columns():
        added = header.added_columns()
        say = literal(must_be_allowed(function, x, f"without columns {', '.join(added)}"))
        checks.append(f"tanon._taken_columns({say}, {x}, {literals(added)})")
    return checks


def _column_checks(function: str, relation: Argument, a: Argument) -> list[str]:
    x = relation.name
    say = literal(must_be_allowed(function, a.name, a.kind.allowed))
    checks = [f"tanon._unknown_column({say}, {x}, {a.name})"]
    if a.kind.types:
        pattern = literal("|".join(a.kind.types))
        checks.append(f"tanon._wrong_type({say}, {x}, {a.name}, {pattern})")
    if a.kind.not_null:
        about = literal(subject(function, a.name))
        given = literal(f"tanon_given_{x}")
        checks.append(f"tanon._null_values({about}, {x}, {given}, {a.name})")
    return checks
