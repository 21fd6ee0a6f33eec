"""What names mean inside a block that ``use`` makes under another name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tanon_duck.macros.steps import Step

Bindings = Mapping[str, "Bound"]


@dataclass(frozen=True)
class Bound:
    """What a name stands for: the name of a step, who gave it, and what names meant there."""

    name: str
    giver: Step
    scope: Bindings


# The name of a step with what each of its parameters means.
Meaning = tuple[str, tuple["Meaning", ...]]


def given(use: Step) -> dict[str, str]:
    """What a ``use`` gives for each parameter."""
    pairs = (pair.partition("=") for pair in use.body.split(",") if pair.strip())
    return {name.strip(): value.strip() for name, _, value in pairs}


def bound(name: str, giver: Step, scope: Bindings) -> Bound:
    """What a name stands for where ``scope`` holds: itself, unless it is a parameter there."""
    return scope.get(name) or Bound(name, giver, scope)


def bindings(use: Step, scope: Bindings) -> Bindings:
    """What the parameters mean inside the block that is made, which may read itself."""
    itself = {use.on: Bound(use.name, use, scope)}
    return {name: bound(value, use, scope) for name, value in given(use).items()} | itself


def meaning(of: Bound, block: Callable[[str], Step | None]) -> Meaning:
    """What a name comes to: one ``use`` makes two things where its words mean two things."""
    use = block(of.name)
    if use is None or use.kind != "use":
        return of.name, ()
    values = given(use).values()
    return of.name, tuple(meaning(bound(value, use, of.scope), block) for value in values)
