"""The names, types and values that the statements of a publication fill in."""

from collections.abc import Mapping, Sequence
from string import ascii_lowercase, ascii_uppercase

import duckdb

from tanon_duck import quoting
from tanon_duck.errors import TanonError, nearest
from tanon_duck.publication.parameters import Parameters, refuse

_SMALL_LETTERS = str.maketrans(ascii_uppercase, ascii_lowercase)
Column = tuple[str, str]


def tables_of(connection: duckdb.DuckDBPyConnection, name: str) -> set[str] | None:
    """The names of the tables in this schema, None if there is no such schema."""
    found = connection.execute(
        "select table_name from duckdb_schemas() as s left join duckdb_tables() as t "
        "using (database_name, schema_name) "
        "where tanon._folded(schema_name) = tanon._folded($name) "
        "and database_name = current_database()",
        {"name": name},
    ).fetchall()
    return {table for (table,) in found} if found else None


def schema_of(connection: duckdb.DuckDBPyConnection, name: str) -> str:
    """The schema in SQL: with its database, which may have the same name."""
    database = connection.execute("select current_database()").fetchall()[0][0]
    return f"{quoting.identifier(database)}.{quoting.identifier(name)}"


def state_columns(connection: duckdb.DuckDBPyConnection, name: str) -> set[str]:
    """The columns of the state, which tell what version made it."""
    described = connection.execute(f"describe {schema_of(connection, name)}.state").fetchall()
    return {column for column, *_ in described}


def source_and_pace(
    connection: duckdb.DuckDBPyConnection, parameters: Parameters
) -> tuple[str, str]:
    """SQL for the source and for how time is cut."""
    source, pace, fits = connection.execute(
        "select tanon._relation($source), tanon._pace($granularity), "
        "coalesce(tanon._is_snapshots($granularity), true)",
        {"source": parameters.source, "granularity": parameters.granularity},
    ).fetchall()[0]
    if not fits:
        raise refuse("granularity", "a unit of time or a whole number", parameters.granularity)
    return source, pace


def types_now(connection: duckdb.DuckDBPyConnection, source: str) -> dict[str, str]:
    """The types of the columns of the source as it is."""
    described = connection.execute(f"describe from {source}").fetchall()
    return {column: kind for column, kind, *_ in described}


def types_kept(connection: duckdb.DuckDBPyConnection, name: str) -> dict[str, str]:
    """The types that the columns had at the beginning, by folded names; empty before it."""
    if "released" not in (tables_of(connection, name) or ()):
        return {}
    described = connection.execute(f"describe {schema_of(connection, name)}.released").fetchall()
    return {folded(column): kind for column, kind, *_ in described}


def used_columns(
    parameters: Parameters, now: Mapping[str, str], kept: Mapping[str, str]
) -> list[Column]:
    """Ts, qi and sa with the types to read them in, which are those of the beginning."""
    by_name = {folded(column): column for column in now}
    given = [("ts", parameters.ts), *(("qi", q) for q in parameters.qi), ("sa", parameters.sa)]
    for argument, column in given:
        if folded(column) not in by_name:
            hint = nearest(column, now)
            raise TanonError(f"{refuse(argument, 'a column of source', column)}{hint}")
    if ours := [column for _, column in given if folded(column).startswith("tanon_")]:
        raise refuse("source", "a relation without columns that begin with tanon_", ours[0])
    used = {folded(column) for _, column in given}
    if len(used) < len(given) or not parameters.qi:
        wanted = "columns of source other than ts and sa, none twice"
        raise refuse("qi", wanted, list(parameters.qi))
    for column in parameters.accept:
        if folded(column) not in {folded(q) for q in parameters.qi}:
            raise refuse("accept", "columns that qi names", column)
    names = [by_name[folded(column)] for _, column in given]
    return [(name, kept.get(folded(name)) or _plain(now[name])) for name in names]


def _plain(kind: str) -> str:
    """An ENUM is read as text: its values may become more."""
    return "VARCHAR" if kind.startswith("ENUM") and not kind.endswith("]") else kind


def quoted_names(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    parameters: Parameters,
    source: str,
    pace: str,
    used: Sequence[Column],
) -> dict[str, str | int]:
    """What the statements fill in: names and values, quoted here and nowhere else."""
    columns, types = [column for column, _ in used], [kind for _, kind in used]
    encoded, type_list = connection.execute(
        "select tanon._encoded_text($columns, ''), tanon._text($types)",
        {"columns": columns, "types": ", ".join(types)},
    ).fetchall()[0]
    schema, quoted = schema_of(connection, name), list(map(quoting.identifier, columns))
    casts = [f"cast({q} as {kind}) as {q}" for q, kind in zip(quoted, types, strict=True)]
    numerator, _, denominator = parameters.l.partition("/")
    return {
        "schema": schema,
        "given": source,
        "source": f"(select {', '.join(casts)} from {source})",
        "encoded": encoded,
        "key": f"(select tanon._key(secret, 'tanon.publication', {type_list}) from {schema}.state)",
        "ts": quoted[0],
        "qi": ", ".join(quoted[1:-1]),
        "sa": quoted[-1],
        "pace": pace,
        "null_ts": f"null::{types[0]}",
        "ts_type": types[0],
        "sa_type": types[-1],
        "w": parameters.w,
        "numerator": numerator,
        "denominator": denominator or "1",
    }


def folded(name: str) -> str:
    """As DuckDB compares names: letters of ASCII only."""
    return name.translate(_SMALL_LETTERS)
