"""Columns of every type in every role: the counts of a plain GROUP BY, or a refusal."""

import random
import re

import duckdb
import pytest
from drawn import is_long
from every_function.test_pairs import refusal_of
from every_function.typed_calls import ALIKE, TYPES
from every_function.typed_roles import ROLES, TABLE

import tanon_duck
from tanon_duck.macros import catalog

SEED = 27
TYPES_OF_EACH = 4  # that each call is made with where everybody waits for the tests
# No table can have a column of these.
NO_COLUMNS = {"TYPE"}
LISTS = {name for name, made in TYPES.items() if made.startswith("[") or "array" in made}


@pytest.fixture(scope="module")
def tables():
    """A database for each type, with the table of the calls."""
    with tanon_duck.connect() as con:
        for name, made in TYPES.items():
            con.execute(f'attach \':memory:\' as "{name}"; use "{name}"')
            con.execute(TABLE.format(made))
        yield con


def types_of(place):
    """The types that a call is made with."""
    if is_long():
        return list(TYPES)
    return random.Random(f"{SEED} {place}").sample(list(TYPES), TYPES_OF_EACH)


def rows(con, sql):
    """Rows in an order of their own, their values as texts where they are no numbers."""
    found = con.execute(sql).fetchall()
    return sorted(
        (tuple(float(v) if isinstance(v, int | float) else str(v) for v in row) for row in found),
        key=repr,
    )


def outcome(con, role, type):
    """Nothing where the result is right, else the message of the refusal."""
    con.execute(f'use "{type}"')
    is_of_zone = type in ("timestamptz", "timestamptz_ns")
    is_time = type in ALIKE["a day"] or type == "infinite date"
    arguments = role.arguments.replace("{tz}", ", tz := 'UTC'" if is_of_zone else "")
    arguments = arguments.replace("{width}", "'day'" if is_time else "2")
    first = catalog.function(role.function).header.relations()[0].name
    if f"{first} := " not in arguments:
        arguments = f"{first} := 'typed', {arguments}".removesuffix(", ")
    sql = f"from tanon.{role.function}({arguments})"
    try:
        con.execute(f"create or replace temp table result_of_call as {sql}")
    except duckdb.Error as error:
        called = [role.function, *re.findall(r"\btanon\.(\w+)\(", arguments)]
        return refusal_of(f"({'|'.join(called)})", error)
    if role.wanted:
        items = "(select u, unnest(c) as c from typed)" if type in LISTS else "typed"
        wanted = role.wanted.replace("{items}", items)
        assert rows(con, _spelt(role.found, type)) == rows(con, _spelt(wanted, type))
    return ""


def _spelt(sql, type):
    """A month and 30 days are equal, and which of them a group shows is not said."""
    equal = re.compile(r"(\bc|unnest\(itemset\))::varchar")
    return equal.sub(r"epoch(\1)::varchar", sql) if type == "interval" else sql


@pytest.mark.sweep
@pytest.mark.parametrize("place", range(len(ROLES)), ids=[f"{r.role}-{r.function}" for r in ROLES])
def test_counts_are_those_of_a_plain_group_by(tables, place):
    for type in types_of(place):
        try:
            outcome(tables, ROLES[place], type)
        except Exception as error:
            raise AssertionError(f"{ROLES[place]}, {type}: {error}") from error


def test_every_type_of_duckdb_is_listed(tables):
    listed = set()
    for name in TYPES:
        (typed,) = tables.execute(f'select typeof(c) from "{name}".typed limit 1').fetchone()
        listed.add(re.sub(r"\(.*", "", typed).strip('"') if not typed.endswith("]") else "LIST")
        listed |= {"ARRAY"} if re.search(r"\[\d+\]$", typed) else set()
    known = tables.execute("select distinct logical_type from duckdb_types()").fetchall()
    missing = {name for (name,) in known} - listed - NO_COLUMNS
    assert missing == set(), "add them to TYPES in tests/every_function/typed_calls.py"
