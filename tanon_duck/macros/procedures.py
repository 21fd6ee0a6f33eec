"""What is run step by step from Python and the command line, described as functions are.

Its arguments are of the same kinds and are judged by the same SQL, in a select thrown away.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cache

from tanon_duck.macros import builtin_functions, header, kinds, marks, rendering, sources
from tanon_duck.macros.catalog import read_sql
from tanon_duck.macros.header import Argument, Header
from tanon_duck.quoting import literal


@dataclass(frozen=True)
class Procedure:
    """A header, and the name under which messages speak of it."""

    name: str
    header: Header

    def judging(self, given: Collection[str]) -> str:
        """A query over the given arguments, prepared values: a message or NULL, then each one."""
        rows = self.header.arguments
        values = ", ".join(
            f"{f'${a.name}' if a.name in given else a.default or 'NULL'} as {a.name}" for a in rows
        )
        replaced = f"tanon._replaced({literal(f'tanon.{self.name}')})"
        wrong = ", ".join([replaced, *rendering.checks(self.name, self.header)])
        return builtin_functions.with_catalog(
            f"select {marks.once(f'coalesce({wrong})')} as wrong, {', '.join(map(_kept, rows))} "
            f"from (select {values}) as given"
        )

    def looking(self) -> str:
        """A query over all arguments as text: the query that raises if a column is wrong."""
        relation = self.header.relations()[0]
        # NULL is looked for when rows are read, not before
        arguments = (
            replace(a, kind=kinds.parse(a.kind.words.replace(" not null", "")))
            for a in self.header.arguments
        )
        known = replace(self.header, arguments=tuple(arguments))
        fine = f" select fine from {relation.cte_name}_is_fine"
        text = f"concat('with ', {sources.ctes(self.name, known, relation)}, '{fine}')"
        return builtin_functions.with_catalog(
            f"select {marks.once(text)} "
            f"from (select {', '.join(f'${a.name} as {a.name}' for a in self._of_relation())})"
        )

    def _of_relation(self) -> list[Argument]:
        relation = self.header.relations()[0]
        return [a for a in self.header.arguments if a == relation or a.kind.is_column]

    def names_of_columns(self) -> list[str]:
        """The arguments that ``looking`` reads."""
        return [a.name for a in self._of_relation()]


def _kept(argument: Argument) -> str:
    """An argument in the form in which it is kept."""
    match argument.kind.name:
        case "columns":
            return f"tanon._list({argument.name}) as {argument.name}"
        case "integer":
            return f"try_cast({argument.name}::varchar as bigint) as {argument.name}"
        case "boolean":
            return f"try_cast({argument.name}::varchar as boolean) as {argument.name}"
    return f"{argument.name}::varchar as {argument.name}"


@cache
def publish() -> Procedure:
    """Beginning a publication or going on with it."""
    comment, _ = header.split(read_sql("procedures/publish.sql"))
    return Procedure("publication", header.parse(comment))
