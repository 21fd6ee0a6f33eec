"""Resolve names inside a block that ``use`` copies under another name.

Example: ``use near = step_near(rows=cells)`` copies ``step_near``; in the copy, ``rows`` means the
step ``cells``."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tanon_duck.macros.steps import Step

Bindings = Mapping[str, "Bound"]


@dataclass(frozen=True)
class Bound:
    """The step that a name means, the block that wrote the name, and the bindings in that block."""

    name: str
    giver: Step
    scope: Bindings


# The name of a step with what each of its parameters means.
Meaning = tuple[str, tuple["Meaning", ...]]


def given(use: Step) -> dict[str, str]:
    """Return the arguments of a ``use`` by parameter: ``{'rows': 'cells'}``."""
    pairs = (pair.partition("=") for pair in use.body.split(",") if pair.strip())
    return {name.strip(): value.strip() for name, _, value in pairs}


def bound(name: str, giver: Step, scope: Bindings) -> Bound:
    """Resolve a name in a scope: a parameter means its binding, another name means itself."""
    return scope.get(name) or Bound(name, giver, scope)


def bindings(use: Step, scope: Bindings) -> Bindings:
    """Return the bindings inside the copy: its parameters, and its own name for recursion."""
    itself = {use.on: Bound(use.name, use, scope)}
    return {name: bound(value, use, scope) for name, value in given(use).items()} | itself


def meaning(of: Bound, block: Callable[[str], Step | None]) -> Meaning:
    """Return the resolved step name with the meanings of its arguments, to compare two uses."""
    use = block(of.name)
    if use is None or use.kind != "use":
        return of.name, ()
    values = given(use).values()
    return of.name, tuple(meaning(bound(value, use, of.scope), block) for value in values)
