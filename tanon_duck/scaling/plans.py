"""Choose the stages of a call from ``plans.toml``."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from tanon_duck.errors import TanonError, must_be
from tanon_duck.macros import catalog, linker, steps
from tanon_duck.macros.catalog import Function
from tanon_duck.macros.header import Argument
from tanon_duck.scaling.stages import Stage, read_all, told

_HERE = "tanon_duck/scaling"

_OF_ARGUMENTS = ("refused", "required", "single", "off", "along", "applied")


@dataclass(frozen=True)
class Plan:
    """The stages of a function, or the reason why it has none."""

    stages: tuple[Stage, ...] = ()
    by_uid: tuple[Stage, ...] = ()
    why_not: str = "nobody has written a plan for it"

    def steps(self) -> tuple[str, ...]:
        """Return the steps that only shards read."""
        told_of = [told(name)[1] for s in (*self.stages, *self.by_uid) for name in s.what]
        own = {name for name, step in library().blocks.items() if step.file.startswith(_HERE)}
        return tuple(name for name in dict.fromkeys(told_of) if name in own)


@cache
def written() -> dict[str, Any]:
    """Read ``plans.toml``."""
    return tomllib.loads((resources.files(__package__) / "plans.toml").read_text("utf-8"))


def name_of(function: Function, arguments: Mapping[str, Any]) -> str:
    """Name the plan of a call: releases of a function share one, other results have their own."""
    answer = function.header.answer(arguments.get("result"))
    is_release = answer is function.header.answers[0] or answer.audience == "others"
    return function.name if is_release else f"{function.name}.{answer.name}"


@cache
def plan(name: str) -> Plan:
    """Return the plan of this name."""
    found = written()
    for reason, names in found["why_not"].items():
        if name in names:
            return Plan(why_not=reason)
    rows = (found[table].get(name, "") for table in ("plans", "by_uid"))
    stages, by_uid = (tuple(read_all(each, found["parts"])) for each in rows)
    return Plan(stages, by_uid)


@cache
def library() -> linker.Library:
    """Return the steps of the core and those that only shards read."""
    return catalog.library().extended(_own_files())


def _own_files() -> Iterator[steps.File]:
    """Yield the SQL files of steps that only shards read."""
    for file in sorted((resources.files(__package__) / "steps").iterdir(), key=lambda f: f.name):
        yield steps.read(f"{_HERE}/steps/{file.name}", file.read_text(encoding="utf-8"))


def chosen(function: Function, arguments: Mapping[str, Any], by: str | None) -> tuple[Stage, ...]:
    """Return the stages of a call; raise if its function, or the result, has no plan."""
    name = name_of(function, arguments)
    own = plan(name)
    if not own.stages:
        result = name.removeprefix(function.name).removeprefix(".")
        call = f"tanon.{function.name}" + (f"(result := {result!r})" if result else "")
        raise TanonError(f"{call} does not run on shards: {own.why_not}")
    known = ["qi", "respondent"] if own.by_uid else ["qi"]
    if by is not None and by not in known:
        raise TanonError(must_be(function.name, "by", " or ".join(known), repr(by)))
    stages = own.by_uid if by == "respondent" else own.stages
    for stage in (*own.stages, *(own.by_uid if by == "respondent" else ())):
        for name in stage.what:
            _check(function, stage, name, arguments)
    return tuple(s for s in stages if s.how not in _OF_ARGUMENTS and _conditions_hold(s, arguments))


def _check(function: Function, stage: Stage, name: str, arguments: Mapping[str, Any]) -> None:
    """Raise if an argument breaks a rule of its stage."""
    argument, value = function.header.argument(name), arguments.get(name)
    if stage.how == "refused" and argument and _differs_from_default(argument, value):
        allowed = f"left out on shards ({stage.note})"
        raise TanonError(must_be(function.name, name, allowed, repr(value)))
    if stage.how == "required" and value is None:
        allowed = f"given on shards ({stage.note})"
        raise TanonError(must_be(function.name, name, allowed, "none"))
    if stage.how == "single" and _conditions_hold(stage, arguments) and len(columns(value)) > 1:
        other = next(n for n in stage.when if arguments.get(n) is not None)
        allowed = f"one on shards with {other} ({stage.note})"
        raise TanonError(must_be(function.name, name, allowed, value))
    if stage.how == "off" and value is not False:
        allowed = f"false on shards ({stage.note})"
        raise TanonError(must_be(function.name, name, allowed, "true"))


def _differs_from_default(argument: Argument, value: Any) -> bool:
    """Return whether an argument has another value than its default."""
    return value is not None and str(value).lower() != argument.default.strip("'").lower()


def _conditions_hold(stage: Stage, arguments: Mapping[str, Any]) -> bool:
    """Return whether the conditions of a stage hold for these arguments."""

    def is_so(condition: str) -> bool:
        name = condition.removeprefix("no ")
        return _is_given(arguments.get(name)) == (name == condition)

    return not any(map(is_so, stage.unless)) and (not stage.when or any(map(is_so, stage.when)))


def _is_given(value: Any) -> bool:
    """Return whether a value is neither None nor an empty list."""
    return value is not None and (len(value) > 0 if isinstance(value, list | tuple) else True)


def relation_of(function: Function) -> str:
    """Return the argument whose rows are divided into shards."""
    along = {name for s in plan(function.name).stages if s.how == "along" for name in s.what}
    found = (a.name for a in function.header.relations() if not a.is_optional)
    return next((name for name in found if name not in along), "source")


def columns(value: Any) -> list[str]:
    """Return the names in an argument that lists columns."""
    if value is None:
        return []
    return [str(name) for name in value] if isinstance(value, list | tuple) else [str(value)]


def keys(function: Function, stage: Stage, arguments: Mapping[str, Any]) -> list[str]:
    """Return the columns by which a stage divides rows."""
    found: list[str] = []
    for key in stage.keys:
        if function.header.argument(key) is None or key in stage.of:
            found.append(key)
        # the key ts would divide the rows of one snapshot
        elif key != "ts" or not arguments.get("granularity"):
            found += columns(arguments.get(key))
    if stage.keys and not found:
        raise TanonError(must_be(function.name, stage.keys[0], "given on shards", "none"))
    return found


def read(function: Function, arguments: Mapping[str, Any], there: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of the relation that a call reads."""
    relation = relation_of(function)
    if relation != "source" or any(
        r.name == "source.*" for r in function.header.answer(arguments.get("result")).columns
    ):
        return tuple(there)
    named = {
        name.lower()
        for a in function.header.arguments
        if a.kind.is_column_of(relation)
        for name in columns(arguments.get(a.name))
    }
    return tuple(name for name in there if name.lower() in named) or tuple(there)
