"""What Python asks about the arguments of a call: the facts that the text of the call needs.

A DuckDB instance of its own holds these macros and the plans: ``interfaces/call_planner.py``.
"""

import json
from functools import cache
from typing import Any

from tanon_duck.macros import create_statements, plan_compiler, role_defaults
from tanon_duck.macros.catalog import Function, functions
from tanon_duck.macros.create_statements import finished
from tanon_duck.macros.plan_compiler import Plan
from tanon_duck.macros.text_tree import Data


@cache
def statements() -> tuple[str, ...]:
    """What Python asks to make a text: the facts about arguments, and the roles of a call."""
    own = []
    for name, plan in create_statements.plans().items():
        f = functions()[name]
        own += [f"create or replace macro tanon._facts_of_{name}{macro(f, plan)}", _call(f)]
        if role_defaults.with_roles(f.header):
            own.append(role_defaults.finder(name, f.header))
    # Who asks for texts is elsewhere; an instance that only makes them knows no Python.
    asking = ("tanon._made(", "tanon._handed_on(")
    private = [
        s
        for s in create_statements.private_statements(by_python=True)
        if called_as(s) not in asking
    ]
    return tuple(create_statements.bound_late([*private, *map(finished, own)]))


def rows() -> list[tuple[str, str]]:
    """The plans as JSON, each under the name of its function."""
    return [
        (name, json.dumps(as_data(functions()[name], plan) | {"kinds": _kinds(functions()[name])}))
        for name, plan in create_statements.plans().items()
    ]


def as_data(f: Function, plan: Plan) -> dict[str, Any]:
    """A plan as ``tanon_duck.macros.call_plan`` reads it."""
    steps = [
        {
            "name": s.name,
            "place": s.place,
            "ctes": [[name, how, finished_data(text)] for name, how, text in s.ctes],
            "reads": s.reads,
            "groups": s.groups,
            "loop": s.loop,
            "recursive": s.is_recursive,
        }
        for s in plan.steps
    ]
    query = finished_data(plan.query)
    return {"steps": steps, "query": query, "reads": plan.reads, "file": f.file.name}


def _kinds(f: Function) -> list[tuple[str, str]]:
    """Two macros for each argument, from their parameters on; none for an argument of any kind.

    One gives the message of the check of its kind, or NULL, one the message of a wrong value.
    """
    needed, others = role_defaults.in_order(f.header)
    arguments = ", ".join([*(a.name for a in needed), *(f"{a.name} := NULL" for a in others)])
    found = []
    for a, say, wrong in plan_compiler.checks_of_kinds(f.name, f.header):
        # No message shows a secret.
        got = say if a.kind.name == "secret" else f"tanon._got({say}, {a.name})"
        start = f"({arguments}) as (case when {a.name} is not null then"
        if wrong:
            found.append((finished(f"{start} {wrong} end)"), finished(f"{start} {got} end)")))
    return found


def macro(f: Function, plan: Plan) -> str:
    """A macro, from its parameters on: it checks the arguments, and gives the facts of the plan."""
    wrong = ", ".join(["null", *plan_compiler.checks(f.name, f.header)])
    return finished(
        f"({role_defaults.signature(f.header)}) as "
        f"case when error(coalesce({wrong}))::varchar is null then {plan.facts.packed()} end"
    )


def _call(f: Function) -> str:
    """The statement of a macro that gives the text of a call's arguments, and what they lack."""
    must, may = role_defaults.missing(f.header)
    return (
        f"create or replace macro tanon._call_of_{f.name}({f.header.signature()}) as "
        f"{{'given': {role_defaults.given(f.header)}, 'must': {must}, 'may': {may}}}"
    )


def called_as(statement: str) -> str:
    """The macro that a statement creates, as it is called."""
    return statement[len("create or replace macro ") : statement.index("(") + 1]


def finished_data(data: Data) -> Data:
    """The texts of a plan with functions under the names that nobody replaces."""
    match data:
        case str():
            return finished(data)
        case ["item", *_]:
            return data
        case ["for", values, variable, *others]:
            return ["for", values, variable, *map(finished_data, others)]
        case [str(word), *others]:
            return [word, *map(finished_data, others)]
        case list():
            return [finished_data(each) for each in data]
    return data
