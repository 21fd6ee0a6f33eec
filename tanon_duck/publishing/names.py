"""Find publications, and quote the names, types and values for their statements."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

import duckdb

from tanon_duck.macros.jinja_statements import of_text
from tanon_duck.publishing.parameters import Parameters, header
from tanon_duck.quoting import Quoted, identifier, joined, literal

Names = dict[str, Quoted | int]


def tables_of(connection: duckdb.DuckDBPyConnection, name: str) -> set[str] | None:
    """Return the names of the tables in a schema, None if it does not exist."""
    quoted_query = of_text(
        "select table_name from duckdb_schemas() as s left join duckdb_tables() as t "
        "using (database_name, schema_name) "
        "where tanon._folded(schema_name) = tanon._folded($name) "
        "and database_name = current_database()"
    )
    found = connection.execute(quoted_query, {"name": name}).fetchall()
    return {table for (table,) in found} if found else None


def publications_of(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the names of all publications in the current database."""
    quoted_query = of_text(
        "select schema_name from duckdb_tables() where database_name = current_database() "
        "and table_name in ('manifest', 'state', 'released') "
        "group by schema_name having count(*) = 3 order by schema_name asc nulls last"
    )
    return [name for (name,) in connection.execute(quoted_query).fetchall()]


def schema_of(connection: duckdb.DuckDBPyConnection, name: str) -> Quoted:
    """Return the quoted name of a schema, for example "demo"."flu".

    The database is part of the name, because a database and a schema can have the same name.
    """
    database = connection.execute(of_text("select current_database()")).fetchall()[0][0]
    return Quoted(".".join([identifier(database), identifier(name)]))


def columns_of(connection: duckdb.DuckDBPyConnection, query: Quoted) -> list[tuple[str, str]]:
    """Return name and type of each column of a query."""
    described = connection.execute(of_text("describe {{ query }}", query=query)).fetchall()
    return [(column, kind) for column, kind, *_ in described]


def names_of(
    connection: duckdb.DuckDBPyConnection, schema: Quoted, parameters: Parameters, exists: bool
) -> tuple[Names, list[dict[str, Quoted]]]:
    """Return the names for statements, and the columns whose type has changed.

    The first dictionary fills the placeholders of the SQL files, for example {'ts': '"day"', 'w':
    4}. The list describes each column of the source that had another type when the publication
    began.
    """
    quoted_query = _quoted_arguments(connection, parameters)
    query = of_text(
        "(select {{ ts }}, {{ others }}, {{ sensitive }} from {{ given }})", **quoted_query
    )
    now = columns_of(connection, of_text("from {{ query }}", query=query))
    stored = [(column, _plain_type(kind)) for column, kind in now]
    if exists:
        released = columns_of(connection, of_text("from {{ schema }}.released", schema=schema))
        stored = [(column, kind) for (column, _), (_, kind) in zip(now, released, strict=True)]
    columns = [{"name": identifier(column), "type": Quoted(kind)} for column, kind in stored]
    retyped = [
        {**u, "now": Quoted(kind)}
        for u, (_, kind) in zip(columns, now, strict=True)
        if u["type"] != kind
    ]
    names = _source_names(connection, schema, quoted_query, columns, stored)
    names |= _person_names(connection, schema, parameters, stored)
    return names | {"w": parameters.w, "l": Quoted(literal(str(parameters.l)))}, retyped


def _quoted_arguments(
    connection: duckdb.DuckDBPyConnection, parameters: Parameters
) -> dict[str, Quoted]:
    """Return the source, its columns and the granularity as quoted SQL."""
    arguments = {a.name: a for a in header().arguments}
    quoted = {name: arguments[name].kind.quoted(f"${name}") for name in ("ts", "sensitive")}
    quoted["others"] = arguments["qi"].kind.quoted("$others")
    quoted["pace"] = arguments["granularity"].kind.quoted("$granularity")
    quoted["given"] = "tanon._relation($source)"
    texts = of_text("select {{ texts }}", texts=joined(Quoted(text) for text in quoted.values()))
    stored = asdict(parameters)
    given = {n: stored[n] for n in ("source", "ts", "sensitive", "granularity")}
    row = connection.execute(texts, given | {"others": _other_columns(parameters)}).fetchall()[0]
    return dict(zip(quoted, map(Quoted, row), strict=True))


def _other_columns(parameters: Parameters) -> list[str]:
    """Return the respondent's column, if one is named, and the quasi-identifiers."""
    return [*([] if parameters.respondent is None else [parameters.respondent]), *parameters.qi]


def _person_names(
    connection: duckdb.DuckDBPyConnection,
    schema: Quoted,
    parameters: Parameters,
    stored: Sequence[tuple[str, str]],
) -> Names:
    """Return the names that are needed if rows have a respondent.

    They include the SQL that draws one of several records that a person has in one snapshot.
    """
    if parameters.respondent is None:
        return {"persons": False, "repeats": False, "uid_type": Quoted("varchar")}
    (_, (respondent, kind), *qi, (value, _)) = stored
    drawn_by, drawn_with = connection.execute(
        of_text("select tanon._encoded_text($by, ''), tanon._encoded_text($others, '')"),
        {"by": [respondent, value], "others": [column for column, _ in qi]},
    ).fetchall()[0]
    key = "(select tanon._key(secret, 'tanon.repeats', '') from {{ schema }}.state)"
    return {
        "persons": True,
        "repeats": parameters.repeats == "one",
        "respondent": Quoted(identifier(respondent)),
        "uid_type": Quoted(kind),
        "drawn_by": Quoted(drawn_by),
        "drawn_with": Quoted(drawn_with),
        "draw_key": of_text(key, schema=schema),
    }


def _source_names(
    connection: duckdb.DuckDBPyConnection,
    schema: Quoted,
    quoted_query: Mapping[str, Quoted],
    columns: Sequence[Mapping[str, Quoted]],
    stored: Sequence[tuple[str, str]],
) -> Names:
    """Return the placeholders that describe the source: its rows, columns and types.

    `columns` pairs each quoted name with its quoted type. `stored` holds the plain names and types.
    """
    encoded, types = connection.execute(
        of_text("select tanon._encoded_text($columns, ''), tanon._text($types)"),
        {"columns": [column for column, _ in stored], "types": ", ".join(k for _, k in stored)},
    ).fetchall()[0]
    key = "(select tanon._key(secret, 'tanon.publication', {{ types }}) from {{ schema }}.state)"
    casts = [of_text("cast({{ u.name }} as {{ u.type }}) as {{ u.name }}", u=u) for u in columns]
    return {
        "schema": schema,
        "given": quoted_query["given"],
        "source": of_text(
            "(select {{ casts }} from {{ given }})",
            casts=joined(casts),
            given=quoted_query["given"],
        ),
        "encoded": Quoted(encoded),
        "key": of_text(key, types=Quoted(types), schema=schema),
        "ts": columns[0]["name"],
        "others": joined(u["name"] for u in columns[1:-1]),
        "sensitive": columns[-1]["name"],
        "pace": quoted_query["pace"],
        "null_ts": of_text("null::{{ type }}", type=columns[0]["type"]),
        "ts_type": columns[0]["type"],
        "sa_type": columns[-1]["type"],
    }


def _plain_type(kind: str) -> str:
    """Return VARCHAR for an ENUM, because the source may add values; else the type."""
    return "VARCHAR" if kind.startswith("ENUM") and not kind.endswith("]") else kind
