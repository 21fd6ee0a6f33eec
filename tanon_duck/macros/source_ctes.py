"""Write the CTEs that load a relation argument and check its columns.

For an argument ``source`` the body reads ``tanon_source``:

    tanon_given_source    the relation, an unknown column argument added as NULL so that all binds
    tanon_columns_of_source  the columns that the relation has, by name and type
    tanon_source_is_fine  one row; computing it raises if a column is unknown, of a wrong type,
                          taken by a result column, or holds NULL where it must not, or if a
                          given calendar is wrong
    tanon_source          the given rows, read only once the row above is there
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tanon_duck.errors import must_be_allowed, subject
from tanon_duck.macros.header import Answer, Argument, Header
from tanon_duck.macros.kinds.relations import Calendar
from tanon_duck.macros.text_tree import Around, Either, Piece, Value, joined
from tanon_duck.quoting import literal, literals

_LARGEST_LIST = 1_000_000  # more columns than any relation may have


def holds_variant(column_type: str) -> str:
    """Return the SQL condition that a type, as DESCRIBE writes it, is a VARIANT or holds one.

    Names of fields and labels of an ENUM stand between quotes.
    """
    outside_quotes = """([^''"]|''[^'']*''|"[^"]*")*"""
    pattern = rf"^({outside_quotes}[ (])?VARIANT(\[\d*\])*([,)]|$)"
    return f"regexp_matches({column_type}, '{pattern}')"


# Not tanon._holds_variant: a database without our schema runs this text too.
_IS_MIXED = holds_variant("column_type")
_FOLDED = "translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')"


@dataclass(frozen=True)
class Cte:
    """A CTE: its name, how it is materialized, and its query."""

    name: str
    how: Piece
    text: Piece

    @property
    def whole(self) -> Piece:
        return joined([self.name, " as ", self.how, " (\n", self.text, "\n)"])


def ctes(function: str, header: Header, relation: Argument) -> list[Cte]:
    """Return the CTEs of one relation argument."""
    x = relation.name
    given = Value(f"tanon._relation({x})")
    columns = [a for a in header.arguments if a.kind.is_column_of(x)]
    nulls = _nulls(relation, columns)
    lacking, taken = _lacking(function, relation), [*_taken(function, header, relation)]
    if not (columns or lacking or taken):
        return [_given(relation.cte_name, x, given, nulls)]
    others = [_null_check(function, x, a) for a in columns if a.kind.not_null]
    others += [_zone_check(function, header, x, a) for a in columns if _has_zone(header, a)]
    found = _column_checks(function, x, columns)
    calendars = [] if relation.is_optional else _calendar_checks(header)
    checks = joined([Value(literal(lacking)), *taken, *found, *_together(others), *calendars])
    say = must_be_allowed(function, x, "a relation without columns that begin with tanon_")
    # Columns that are named like those of a body are left aside, so that all binds, and raise.
    kept = joined(["(select * not similar to '(?i)tanon_.*' from ", given, ")"])
    described: list[Piece] = [
        "    select *, coalesce(error(case\n"
        "        when column_name similar to '(?i)tanon_.*' then\n"
        "        ",
        Value(literal(literal(f"{say}, got one with "))),
        "\n        || column_name end)::varchar,\n"
        f"        {_FOLDED}) as folded\n    from (describe from ",
        given,
        ")",
    ]
    # The first check that has something to say is heard, whichever DuckDB has computed first.
    fine: list[Piece] = ["    select coalesce(error(coalesce(\n", checks]
    fine.append("        null::varchar))::boolean, true) as fine")
    whole = f"    from tanon_given_{x} where (select fine from tanon_{x}_is_fine)"
    return [
        _given(f"tanon_given_{x}", x, kept, nulls),
        Cte(f"tanon_columns_of_{x}", "materialized", joined(described)),
        Cte(f"tanon_{x}_is_fine", "", joined(fine)),
        Cte(f"tanon_{x}", "not materialized", whole),
    ]


def _given(cte: str, x: str, rows: Piece, nulls: Iterator[Piece]) -> Cte:
    """Return the CTE of the given relation; missing columns are added as NULL, without a row.

    So the query binds, and the check can report them. A query is materialized, a table is not.
    """
    is_query = Value(f"tanon._relation({x})[1] = '('")
    how = Either(((is_query,),), "materialized", "not materialized")
    return Cte(cte, how, joined(["    from ", rows, *nulls]))


def _nulls(relation: Argument, columns: Sequence[Argument]) -> Iterator[Piece]:
    """Yield the SQL that adds missing columns, so that the query binds."""
    fixed = [f"null::{type} as {name}" for name, type in relation.kind.columns]
    union = "\n    union all by name select "
    if not columns:
        if fixed:
            yield f"{union}{', '.join(fixed)} where false"
        return
    single = [f"{a.name}::varchar" for a in columns if not a.kind.is_listed]
    lists = [f"[{', '.join(single)}]"] if single else []
    lists += [f"tanon._list({a.name})" for a in columns if a.kind.is_listed]
    names = lists[0] if len(lists) == 1 else f"flatten([{', '.join(lists)}])"
    added = f"tanon._null_columns({names})"
    if fixed:
        added = f"list_concat({literals(fixed)}, {added})"
    yield Around(Value(f"array_to_string({added}, ', ')"), union, " where false")


def _column_checks(function: str, relation: str, columns: Sequence[Argument]) -> list[Piece]:
    """Return the check that all columns exist and have allowed types.

    It is one subquery, as each subquery takes a millisecond to plan. It reports the first argument.
    """
    if not columns:
        return []
    before = f"""        (select arg_min(said, place) from (
            select place, say || ', got ''' || x || case
                when bool_or(it) then ''' of type ' || any_value(column_type) filter (it)
                    || case when bool_or(it and column_type = 'VARCHAR') then hint
                        when bool_or(it and is_mixed) then '; cast a VARIANT first, as in (select '
                            || format('* replace ({{0}}::varchar as {{0}}) from ...)',
                                '"' || replace(x, '"', '""') || '"')
                        else '' end
                else '''; did you mean ' || arg_min(column_name, levenshtein(folded, wanted))
                    || '?' end as said
            from (select *, folded = wanted as it, {_IS_MIXED} as is_mixed
                from tanon_columns_of_{relation}, (values
"""
    after = """                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
"""
    rows = [_column_rows(function, relation, at, a) for at, a in enumerate(columns)]
    return [before, *_together(rows), after]


def _together(values: Sequence[Value]) -> Iterator[Value]:
    """Concatenate values to one, so that functions can share the text around it."""
    if values:
        yield Value(f"concat({', '.join(value.sql for value in values)})")


def _column_rows(function: str, relation: str, at: int, a: Argument) -> Value:
    """Return SQL for the rows that describe one column argument to the column check."""
    allowed = a.kind.allowed.replace(f" of {a.kind.relation}", f" of {relation}")
    say = _in_format(must_be_allowed(function, a.name, allowed))
    types = _in_format("|".join(a.kind.types))
    hint = "tanon._cast_hint()" if "DATE|TIMESTAMP" in types else "''"
    place = at * _LARGEST_LIST
    if a.kind.is_listed:
        what = f"rows({place}, tanon._list({a.name})"
    else:
        what = f"row({place}, {a.name}::varchar"
    return Value(f"tanon._column_{what}, {say}, {types}, {hint})")


def _null_check(function: str, relation: str, a: Argument) -> Value:
    """Return the check that the columns of an argument contain no NULL."""
    say = _in_format(subject(function, a.name))
    if a.kind.is_listed:
        return Value(f"tanon._null_checks({literal(relation)}, tanon._list({a.name}), {say})")
    return Value(f"tanon._null_check({literal(relation)}, {a.name}::varchar, {say})")


def _in_literal(text: str) -> str:
    """Quote a text twice, for a literal inside a text that a macro composes."""
    return literal(literal(text)[1:-1])


def _in_format(text: str) -> str:
    """Quote a text for a literal inside a pattern of ``format``; double its braces."""
    return _in_literal(text.replace("{", "{{").replace("}", "}}"))


def _has_zone(header: Header, a: Argument) -> bool:
    """Return whether an argument names a time column to which ``tz`` applies."""
    return header.argument("tz") is not None and a.kind.type_words.endswith("TIMESTAMP column")


def _zone_check(function: str, header: Header, relation: str, a: Argument) -> Value:
    """Return the check that ``tz`` fits the column type, also for an empty table."""
    unused = "granularity is null" if header.argument("granularity") else "false"
    return Value(
        f"case when {a.name} is null or {unused} then '' else tanon._zone_check("
        f"{literal(relation)}, {literal(f'tanon.{function}')}, {a.name}, tz) end"
    )


def _lacking(function: str, relation: Argument) -> str:
    """Return a subquery that reports required columns which the relation does not have."""
    if not relation.kind.columns:
        return ""
    allowed = must_be_allowed(function, relation.name, relation.kind.allowed)
    wanted = literals([name for name, _ in relation.kind.columns])
    return (
        f"        (select\n            {literal(allowed)}\n"
        "            || ', got one without ' || string_agg(wanted, ', ')\n"
        f"        from (select unnest({wanted}) as wanted)\n"
        f"        where wanted not in (select folded from tanon_columns_of_{relation.name})\n"
        "        having count(*) > 0),\n"
    )


def _calendar_checks(header: Header) -> list[Piece]:
    """Return the checks that raise if a given calendar does not exist or lacks a column.

    Steps read a calendar only for granularities of its own, so they would not find the mistake.
    """
    return [
        Either(
            ((Value(f"{a.name} is not null"),),),
            f"        (select ''::varchar from tanon_{a.name}_is_fine where not fine),\n",
        )
        for a in header.arguments
        if isinstance(a.kind, Calendar)
    ]


def _taken(function: str, header: Header, relation: Argument) -> Iterator[Piece]:
    """Yield for each answer a subquery that finds a column of the relation which it adds."""
    for answer in header.answers:
        if f"{relation.name}.*" not in answer.passed_columns():
            continue
        added = answer.added_columns()
        allowed = must_be_allowed(
            function, relation.name, f"a relation without columns {', '.join(added)}"
        )
        text = (
            f"        (select\n            {literal(allowed + ', got one with ')}\n"
            "            || min(column_name)\n"
            f"        from tanon_columns_of_{relation.name}\n"
            f"        where list_contains({literals(added)}, folded)\n"
            "        having count(*) > 0),\n"
        )
        asked = Value(f"result = {literal(answer.name)}")
        yield Either(((asked,),), text) if answer.name else Value(literal(text))


def of_answer(answer: Answer, expression: str, otherwise: str) -> str:
    """Return an expression for calls of this ``result``, and ``otherwise`` for other calls."""
    if not answer.name:
        return expression
    return f"case when result = {literal(answer.name)} then {expression} else {otherwise} end"
