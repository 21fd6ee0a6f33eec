"""Kinds of relations: tables, calendars, hierarchies and costs."""

from abc import abstractmethod

from tanon_duck.macros.kinds.kind import (
    Kind,
    cte_name,
    sql_boolean,
    typed_columns,
    unless,
)
from tanon_duck.quoting import literal

# CTEs of ``source_ctes`` that a body can name: `{source:checked}`, `{source:columns}`.
_RELATED_CTES = {
    "checked": "(select fine from tanon_{}_is_fine)",
    "columns": "tanon_columns_of_{}",
}


def relation_text(x: str) -> str:
    """Return SQL whose value is the text of a relation for FROM."""
    return f"tanon._relation({x}::varchar)"


class Relation(Kind):
    """A table, a view, a file or a query in parentheses, with columns that it must have."""

    pattern = r"relation(?:\((?P<columns>.*)\))?"
    name = "relation"
    metavar = "FILE"

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.columns = self._columns()

    def _columns(self) -> tuple[tuple[str, str], ...]:
        return typed_columns(self._found()["columns"] or "")

    @property
    def allowed(self) -> str:
        needed = ", ".join(name for name, _ in self.columns)
        with_columns = f" with columns {needed}" if needed else ""
        return f"a table, a view or a query in parentheses{with_columns}"

    def wrong(self, x: str, say: str, optional: bool) -> str:
        return f"tanon._wrong_name({say}, {x}, {sql_boolean(optional)})"

    def quoted(self, x: str, prefix: str = "") -> str:
        return literal(cte_name(x))

    def form(self, x: str, form: str, prefix: str) -> str | None:
        if form in _RELATED_CTES:
            return literal(_RELATED_CTES[form].format(x))
        return relation_text(x) if form == "relation" else super().form(x, form, prefix)


class Calendar(Relation):
    """Granules of granularities; their ends are exclusive."""

    pattern = "calendar"

    def _columns(self) -> tuple[tuple[str, str], ...]:
        return typed_columns(
            "granularity varchar, granule bigint, label varchar, starts timestamp, ends timestamp"
        )


class Hierarchies(Relation):
    """Coarser values of attributes, by level.

    Values keep their types until SQL makes texts of them: DuckDB casts by the setting TimeZone.
    """

    pattern = "hierarchies"

    def _columns(self) -> tuple[tuple[str, str], ...]:
        return typed_columns('attribute varchar, level integer, value "NULL", generalized "NULL"')


class _Costs(Kind):
    """Costs by a rule such as ``2.5*d``, or by a table with the named columns."""

    name = "costs"
    metavar = "VALUE"

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.columns = typed_columns(self._found()["columns"])

    @abstractmethod
    def _rule(self, x: str) -> str:
        """Return the SQL condition that the argument is a rule."""

    @property
    @abstractmethod
    def rule_words(self) -> str:
        """Return the words of the error message for a rule."""

    @property
    def allowed(self) -> str:
        needed = ", ".join(name for name, _ in self.columns)
        return f"{self.rule_words} or a table with columns {needed}"

    def wrong(self, x: str, say: str, optional: bool) -> str:
        return unless(f"{self._rule(x)} or tanon._may_be_relation({x})", x, say, optional)

    def quoted(self, x: str, prefix: str = "") -> str:
        return f"tanon._text({x})"

    def form(self, x: str, form: str, prefix: str) -> str | None:
        return relation_text(x) if form == "relation" else super().form(x, form, prefix)


class CostFormula(_Costs):
    """The cost of moving a record by a distance."""

    pattern = r"formula or relation\((?P<columns>.*)\)"
    rule_words = "'d', 'd^2', a multiple such as '2.5*d'"

    def _rule(self, x: str) -> str:
        return f"tanon._is_cost_formula({x})"


class CostNumber(_Costs):
    """The cost of suppressing a record, one for all values or one for each value."""

    pattern = r"number or relation\((?P<columns>.*)\)"
    rule_words = "a number > 0"

    def _rule(self, x: str) -> str:
        return f"tanon._is_positive({x})"
