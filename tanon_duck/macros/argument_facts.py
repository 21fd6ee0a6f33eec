"""Write the macros that compute facts about the arguments of a call, for Python.

A fact is the value of a SQL expression over arguments, for example of ``ts is not null``.

A DuckDB instance of its own holds these macros and the plans: ``interfaces/call_planner.py``.
"""

import json
from functools import cache
from typing import Any

from tanon_duck.macros import create_statements, plan_compiler, role_defaults
from tanon_duck.macros.catalog import Function, functions
from tanon_duck.macros.create_statements import with_protected_names
from tanon_duck.macros.plan_compiler import Plan
from tanon_duck.macros.text_tree import Data


@cache
def statements() -> tuple[str, ...]:
    """Return the statements of the macros: facts, typed arguments and roles of each function."""
    own = []
    for name, plan in create_statements.plans().items():
        f = functions()[name]
        own += [f"create or replace macro tanon._facts_of_{name}{macro(f, plan)}", _call(f)]
        if role_defaults.with_roles(f.header):
            own.append(role_defaults.finder(name, f.header))
    # The separate instance has no Python functions, so it cannot have macros that call them.
    asking = ("tanon._made(", "tanon._handed_on(")
    private = [
        s
        for s in create_statements.private_statements(by_python=True)
        if called_as(s) not in asking
    ]
    return tuple(create_statements.with_late_binding([*private, *map(with_protected_names, own)]))


def rows() -> list[tuple[str, str]]:
    """Return pairs of a function name and its plan as JSON."""
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
            "ctes": [[name, how, data_with_protected_names(text)] for name, how, text in s.ctes],
            "reads": s.reads,
            "groups": s.groups,
            "loop": s.loop,
            "recursive": s.is_recursive,
        }
        for s in plan.steps
    ]
    query = data_with_protected_names(plan.query)
    return {"steps": steps, "query": query, "reads": plan.reads, "file": f.file.name}


def _kinds(f: Function) -> list[tuple[str, str]]:
    """Return two macro bodies for each argument that has a check.

    The first returns the message of the check or NULL. The second returns the message of a wrong
    value, for arguments whose check DuckDB cannot bind.
    """
    needed, others = role_defaults.in_order(f.header)
    arguments = ", ".join([*(a.name for a in needed), *(f"{a.name} := NULL" for a in others)])
    found = []
    for a, say, wrong in plan_compiler.checks_of_kinds(f.name, f.header):
        # No message shows a secret.
        got = say if a.kind.name == "secret" else f"tanon._got({say}, {a.name})"
        start = f"({arguments}) as (case when {a.name} is not null then"
        if wrong:
            found.append(
                (
                    with_protected_names(f"{start} {wrong} end)"),
                    with_protected_names(f"{start} {got} end)"),
                )
            )
    return found


def macro(f: Function, plan: Plan) -> str:
    """Return parameters and body of a macro that checks the arguments and returns all facts."""
    wrong = ", ".join(["null", *plan_compiler.checks(f.name, f.header)])
    return with_protected_names(
        f"({role_defaults.signature(f.header)}) as "
        f"case when error(coalesce({wrong}))::varchar is null then {plan.facts.packed()} end"
    )


def _call(f: Function) -> str:
    """Return the macro that gives the text of a call's arguments, and whether roles are needed."""
    must, may = role_defaults.missing(f.header)
    return (
        f"create or replace macro tanon._call_of_{f.name}({f.header.signature()}) as "
        f"{{'given': {role_defaults.given(f.header)}, 'must': {must}, 'may': {may}}}"
    )


def called_as(statement: str) -> str:
    """Return the start of a call of the created macro: ``tanon._made(``."""
    return statement[len("create or replace macro ") : statement.index("(") + 1]


def data_with_protected_names(data: Data) -> Data:
    """Write the function calls in the texts of a plan by names that no macro can replace."""
    match data:
        case str():
            return with_protected_names(data)
        case ["item", *_]:
            return data
        case ["for", values, variable, *others]:
            return ["for", values, variable, *map(data_with_protected_names, others)]
        case [str(word), *others]:
            return [word, *map(data_with_protected_names, others)]
        case list():
            return [data_with_protected_names(each) for each in data]
    return data
