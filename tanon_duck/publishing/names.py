"""The names, types and values that the statements of a publication fill in."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

import duckdb

from tanon_duck.macros.jinja_statements import of_text
from tanon_duck.publishing.parameters import Parameters, header
from tanon_duck.quoting import Quoted, identifier, joined, literal

Names = dict[str, Quoted | int]


def tables_of(connection: duckdb.DuckDBPyConnection, name: str) -> set[str] | None:
    """The names of the tables in this schema, None if there is no such schema."""
    asked = of_text(
        "select table_name from duckdb_schemas() as s left join duckdb_tables() as t "
        "using (database_name, schema_name) "
        "where tanon._folded(schema_name) = tanon._folded($name) "
        "and database_name = current_database()"
    )
    found = connection.execute(asked, {"name": name}).fetchall()
    return {table for (table,) in found} if found else None


def publications_of(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """The names of all publications of the current database."""
    asked = of_text(
        "select schema_name from duckdb_tables() where database_name = current_database() "
        "and table_name in ('manifest', 'state', 'released') "
        "group by schema_name having count(*) = 3 order by schema_name asc nulls last"
    )
    return [name for (name,) in connection.execute(asked).fetchall()]


def schema_of(connection: duckdb.DuckDBPyConnection, name: str) -> Quoted:
    """The schema in SQL: with its database, which may have the same name."""
    database = connection.execute(of_text("select current_database()")).fetchall()[0][0]
    return Quoted(".".join([identifier(database), identifier(name)]))


def columns_of(connection: duckdb.DuckDBPyConnection, query: Quoted) -> list[tuple[str, str]]:
    """The columns that a query gives, with their types."""
    described = connection.execute(of_text("describe {{ query }}", query=query)).fetchall()
    return [(column, kind) for column, kind, *_ in described]


def names_of(
    connection: duckdb.DuckDBPyConnection, schema: Quoted, parameters: Parameters, exists: bool
) -> tuple[Names, list[dict[str, Quoted]]]:
    """What the statements fill in, and those columns that had another type at the beginning."""
    asked = _as_given(connection, parameters)
    query = of_text("(select {{ ts }}, {{ others }}, {{ sensitive }} from {{ given }})", **asked)
    now = columns_of(connection, of_text("from {{ query }}", query=query))
    kept = [(column, _plain(kind)) for column, kind in now]
    if exists:
        released = columns_of(connection, of_text("from {{ schema }}.released", schema=schema))
        kept = [(column, kind) for (column, _), (_, kind) in zip(now, released, strict=True)]
    used = [{"name": identifier(column), "type": Quoted(kind)} for column, kind in kept]
    other = [
        {**u, "now": Quoted(kind)}
        for u, (_, kind) in zip(used, now, strict=True)
        if u["type"] != kind
    ]
    names = _filled_in(connection, schema, asked, used, kept)
    names |= _of_persons(connection, schema, parameters, kept)
    return names | {"w": parameters.w, "l": Quoted(literal(str(parameters.l)))}, other


def _as_given(connection: duckdb.DuckDBPyConnection, parameters: Parameters) -> dict[str, Quoted]:
    """The source, its columns and the pace, quoted as the arguments of a function are."""
    arguments = {a.name: a for a in header().arguments}
    quoted = {name: arguments[name].kind.quoted(f"${name}") for name in ("ts", "sensitive")}
    quoted["others"] = arguments["qi"].kind.quoted("$others")
    quoted["pace"] = arguments["granularity"].kind.quoted("$granularity")
    quoted["given"] = "tanon._relation($source)"
    texts = of_text("select {{ texts }}", texts=joined(Quoted(text) for text in quoted.values()))
    kept = asdict(parameters)
    given = {n: kept[n] for n in ("source", "ts", "sensitive", "granularity")}
    row = connection.execute(texts, given | {"others": _others(parameters)}).fetchall()[0]
    return dict(zip(quoted, map(Quoted, row), strict=True))


def _others(parameters: Parameters) -> list[str]:
    """The columns of a row beside its time and value: the person, quasi-identifiers."""
    return [*([] if parameters.respondent is None else [parameters.respondent]), *parameters.qi]


def _of_persons(
    connection: duckdb.DuckDBPyConnection,
    schema: Quoted,
    parameters: Parameters,
    kept: Sequence[tuple[str, str]],
) -> Names:
    """The person, and what draws one of the records of a person in a snapshot."""
    if parameters.respondent is None:
        return {"persons": False, "repeats": False, "uid_type": Quoted("varchar")}
    (_, (person, kind), *qi, (value, _)) = kept
    drawn_by, drawn_with = connection.execute(
        of_text("select tanon._encoded_text($by, ''), tanon._encoded_text($others, '')"),
        {"by": [person, value], "others": [column for column, _ in qi]},
    ).fetchall()[0]
    key = "(select tanon._key(secret, 'tanon.repeats', '') from {{ schema }}.state)"
    return {
        "persons": True,
        "repeats": parameters.repeats == "one",
        "respondent": Quoted(identifier(person)),
        "uid_type": Quoted(kind),
        "drawn_by": Quoted(drawn_by),
        "drawn_with": Quoted(drawn_with),
        "draw_key": of_text(key, schema=schema),
    }


def _filled_in(
    connection: duckdb.DuckDBPyConnection,
    schema: Quoted,
    asked: Mapping[str, Quoted],
    used: Sequence[Mapping[str, Quoted]],
    kept: Sequence[tuple[str, str]],
) -> Names:
    encoded, types = connection.execute(
        of_text("select tanon._encoded_text($columns, ''), tanon._text($types)"),
        {"columns": [column for column, _ in kept], "types": ", ".join(k for _, k in kept)},
    ).fetchall()[0]
    key = "(select tanon._key(secret, 'tanon.publication', {{ types }}) from {{ schema }}.state)"
    casts = [of_text("cast({{ u.name }} as {{ u.type }}) as {{ u.name }}", u=u) for u in used]
    return {
        "schema": schema,
        "given": asked["given"],
        "source": of_text(
            "(select {{ casts }} from {{ given }})", casts=joined(casts), given=asked["given"]
        ),
        "encoded": Quoted(encoded),
        "key": of_text(key, types=Quoted(types), schema=schema),
        "ts": used[0]["name"],
        "others": joined(u["name"] for u in used[1:-1]),
        "sensitive": used[-1]["name"],
        "pace": asked["pace"],
        "null_ts": of_text("null::{{ type }}", type=used[0]["type"]),
        "ts_type": used[0]["type"],
        "sa_type": used[-1]["type"],
    }


def _plain(kind: str) -> str:
    """An ENUM is read as text: its values may become more."""
    return "VARCHAR" if kind.startswith("ENUM") and not kind.endswith("]") else kind
