"""The plan of one call: steps with their SQL, and the query. Write it as SQL, or in parts."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tanon_duck.macros.text_tree import Data

_PREFIX = "tanon_"


@dataclass(frozen=True)
class Step:
    """One CTE of a call."""

    cte: str  # its name as SQL writes it
    step: str  # the step that it belongs to: a block has several
    place: str  # file:line, or the argument that it is made of
    how: str  # materialized, not materialized, or nothing
    sql: str
    reads: frozenset[str]  # the names of steps
    is_recursive: bool

    @property
    def name(self) -> str:
        return self.cte.strip('"').removeprefix(_PREFIX)

    @property
    def whole(self) -> str:
        """Return the CTE as text: ``tanon_cells as materialized (...)``."""
        return f"{self.cte} as {self.how}{' ' if self.how else ''}(\n{self.sql}\n)"


@dataclass(frozen=True)
class Plan:
    """The needed steps of a call in order, and its query."""

    steps: tuple[Step, ...]
    query: str
    reads: frozenset[str]  # the names of the steps that the query reads
    file: str
    opening: str

    def text(self, comments: bool = False) -> str:
        """Return the complete SQL; with ``comments``, name the file and line of each step."""
        if not comments:
            return self._behind(self.steps, self.query)
        ctes = [
            f"\n-- {step.place}\n{step.whole}" if step.place else step.whole for step in self.steps
        ]
        opening = self.opening if ctes else ""
        return f"{opening}{','.join(ctes)}\n-- {self.file}\n{self.query}"

    def has(self, name: str) -> bool:
        """Return whether the plan contains a step."""
        return any(step.step == name for step in self.steps)

    def up_to(self, name: str, given: Collection[str]) -> str:
        """Return the SQL of one step and the steps it reads; ``given`` steps exist as tables."""
        return self._of(f"from {_PREFIX}{name}", {name}, set(given) - {name})

    def rest(self, given: Collection[str]) -> str:
        """Return the SQL of the call without the ``given`` steps, which exist as tables."""
        return self._of(self.query, self.reads, given)

    def _of(self, query: str, reads: Iterable[str], given: Collection[str]) -> str:
        wanted, left = set[str](), list(reads)
        by_name: dict[str, list[Step]] = {}
        for step in self.steps:
            by_name.setdefault(step.step, []).append(step)
        while left:
            name = left.pop()
            if name not in wanted and name not in given:
                wanted.add(name)
                left += [read for step in by_name.get(name, ()) for read in step.reads]
        return self._behind([step for step in self.steps if step.step in wanted], query)

    def _behind(self, steps: Collection[Step], query: str) -> str:
        return (self.opening + ",\n".join(s.whole for s in steps) + "\n" if steps else "") + query


def of_call(described: Mapping[str, Any], facts: Mapping[str, Any]) -> Plan:
    """Return the plan of a call from a function's stored plan and the facts about arguments."""
    values = list(facts.values())
    steps: list[Step] = []
    for each in described["steps"]:
        if each["groups"] is None or holds(each["groups"], values, {}):
            steps += _steps(each, values)
    opening = (
        "with recursive " if any(each["recursive"] for each in described["steps"]) else "with "
    )
    query = filled(described["query"], values, {})
    reads = _read(described["reads"], values)
    return Plan(tuple(steps), query, reads, described["file"], opening)


def _read(reads: list[Any], facts: list[Any]) -> frozenset[str]:
    """Return the names of the steps that are read under these facts."""
    return frozenset(name for name, groups in reads if groups is None or holds(groups, facts, {}))


def _steps(described: Mapping[str, Any], facts: list[Any]) -> Iterable[Step]:
    """Yield the CTE of a step; for a block, its CTEs for each element of its list."""
    scopes: list[Mapping[str, Any]] = [{}]
    if described["loop"]:
        values, variable = described["loop"]
        scopes = [{variable: element} for element in known(values, facts, {}) or []]
    reads = _read(described["reads"], facts)
    for items in scopes:
        for cte, how, text in described["ctes"]:
            yield Step(
                filled(cte, facts, items),
                described["name"],
                described["place"],
                filled(how, facts, items),
                filled(text, facts, items),
                reads,
                described["recursive"],
            )


def filled(data: Data, facts: list[Any], items: Mapping[str, Any]) -> str:
    """Return the text that the facts make of data; ``items`` are the elements of open loops."""
    match data:
        case str(text) | ["text", str(text)]:
            return text
        case int() | ["item", _, _]:
            return _as_text(known(data, facts, items))
        case ["around", value, before, behind]:
            text = filled(value, facts, items)
            return f"{before}{text}{behind}" if text else ""
        case ["if", groups, then, otherwise]:
            return filled(then if holds(groups, facts, items) else otherwise, facts, items)
        case ["for", values, variable, body, separator]:
            listed = known(values, facts, items) or []
            return str(separator).join(
                filled(body, facts, {**items, variable: each}) for each in listed
            )
        case ["all", *parts]:
            return "".join([filled(part, facts, items) for part in parts])
    raise TypeError(f"no text is made of {data!r}")


def known(reference: Data, facts: list[Any], items: Mapping[str, Any]) -> Any:
    """Return the value of a fact or of an item."""
    if isinstance(reference, int):
        return facts[reference]
    _, variable, name = reference
    return items[variable][name]


def holds(groups: list[list[Data]], facts: list[Any], items: Mapping[str, Any]) -> bool:
    """Return whether all conditions of at least one group are true."""
    return any(all(known(each, facts, items) is True for each in group) for group in groups)


def _as_text(value: Any) -> str:
    match value:
        case None:
            return ""
        case str() | int() if not isinstance(value, bool):
            return str(value)
    raise TypeError(f"no text is made of {value!r}")
