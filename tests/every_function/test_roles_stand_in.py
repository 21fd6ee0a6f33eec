"""Every function whose arguments a role can stand for: left out, it gives what it gives in full."""

import pytest
from every_function.examples import FUNCTIONS

from tanon_duck import set_roles
from tanon_duck.interfaces.files.example_commands import example_call
from tanon_duck.macros import catalog
from tanon_duck.macros.header import GENERALIZED


def role_arguments(name):
    """The arguments of the example that are columns of a role, by the role."""
    header, call = catalog.function(name).header, example_call(catalog.function(name))
    return {
        a.name: (a, a.roles[-1])
        for a in header.arguments
        if a.roles and not a.roles[0].startswith(GENERALIZED) and a.name in call.values
    }


READERS = [n for n in FUNCTIONS if not catalog.function(n).is_scalar and role_arguments(n)]


def written(name, values):
    given = ", ".join(f"{argument} := {value}" for argument, value in values.items())
    return f"from tanon.{name}({given})"


@pytest.mark.sweep
@pytest.mark.parametrize("name", READERS)
def test_what_is_left_out_is_taken_from_roles(demo_con, name):
    call, header = example_call(catalog.function(name)), catalog.function(name).header
    values = dict(call.values)
    for relation in header.relations():
        if values.get(relation.name, "null").lower() != "null":
            text = demo_con.execute(f"select {values[relation.name]}").fetchall()[0][0]
            table = f"the {relation.name}"
            demo_con.execute(f'create table "{table}" as {call.before} from {text}')
            values[relation.name] = f"""'"{table}"'"""
    kept = dict(values)
    said: dict[str, dict[str, str]] = {}
    for argument, role in role_arguments(name).values():
        listed = demo_con.execute(f"select {kept.pop(argument.name)}").fetchall()[0][0]
        for column in [listed] if isinstance(listed, str) else listed:
            said.setdefault(values[argument.relation].strip("'"), {})[column] = role
    if "granularities" in values and header.argument("granularities").roles:
        listed = demo_con.execute(f"select {kept.pop('granularities')}").fetchall()[0][0]
        for roles in said.values():
            roles.update({c: f"time; {', '.join(listed)}" for c, r in roles.items() if r == "time"})
    for relation, roles in said.items():
        set_roles(demo_con, relation, roles)
    in_full = demo_con.execute(written(name, values))
    named, wanted = [c for c, *_ in in_full.description], in_full.fetchall()
    left_out = demo_con.execute(written(name, kept))
    found_named, found = [c for c, *_ in left_out.description], left_out.fetchall()
    assert sorted(found_named) == sorted(named)
    order = [found_named.index(column) for column in named]
    timeless = [i for i, column in enumerate(named) if column != "seconds"]
    assert sorted(repr([row[order[i]] for i in timeless]) for row in found) == sorted(
        repr([row[i] for i in timeless]) for row in wanted
    )


ASKING = [
    (name, answer.name)
    for name in FUNCTIONS
    if any(a.where == "limits" for a in catalog.function(name).header.arguments)
    for answer in catalog.function(name).header.answers
]


@pytest.mark.parametrize(("name", "result"), ASKING)
def test_what_is_sensitive_is_taken_where_there_are_limits(demo_con, name, result):
    set_roles(
        demo_con,
        "visits",
        {
            "patient": "respondent",
            "sex": "quasi-identifier; list",
            "admitted": "time; year",
            "diagnosis": "sensitive",
        },
    )
    k = "[2, 5]" if name == "tune_events" else "2"
    k += f", result := '{result}'" if result else ""

    def found(more):
        call = f"from tanon.{name}('visits', k := {k}{more}) order by all"
        return demo_con.execute(call).fetchall()

    limits = ", limits := {'distinct_l': 3}"
    in_full = found(f"{limits}, sensitive := 'diagnosis'")
    assert found(limits) == in_full and len(ASKING) == 9
    found("")
    if catalog.function(name).header.argument("keep"):
        kept = f"{limits}, keep := ['diagnosis']"
        assert found(kept) == found(f"{kept}, sensitive := 'diagnosis'")
