"""The kinds an argument can have: how it is checked and quoted when a macro is called.

A kind is written in the header of a function's file, for example ``integer > 1`` or
``column not null of source``; the words of the kind are also the words of its error message.
"""

import re
from dataclasses import dataclass, field

from tanon_duck.errors import TemplateError
from tanon_duck.quoting import literal

_COLUMN = re.compile(r"(columns?)(?:\(([\w, ]+)\))?(?: not null)?(?: or none)?(?: of (\w+))?")
_RELATION = re.compile(r"relation(?:\((.*)\))?")
_NUMBER = re.compile(r"(integer|number)(?: (>=|>|<=|<) (\S+)| in ([\[(])(\S+), (\S+)([\])]))?")
# Groups of column types, as DESCRIBE names them.
_INTEGER = "U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?"
_TYPES = {
    "time": ("a DATE or TIMESTAMP column", "DATE|TIMESTAMP.*"),
    "integer": ("an integer column", _INTEGER),
    "number": ("a numeric column", f"{_INTEGER}|FLOAT|DOUBLE|DECIMAL.*"),
    "list": ("a list column", r".*\[\d*\]"),
}


@dataclass(frozen=True)
class Kind:
    """One kind of argument, as its header line spells it."""

    words: str
    name: str
    not_null: bool = False
    may_be_empty: bool = False
    relation: str = ""  # for columns: the relation argument they belong to
    types: tuple[str, ...] = ()  # for columns: patterns of the types they may have
    type_words: str = ""
    columns: tuple[tuple[str, str], ...] = ()  # for relations: columns they must have, typed
    choices: tuple[str, ...] = ()
    range: str = field(default="", compare=False)  # SQL condition on {x} for numbers

    @property
    def is_column(self) -> bool:
        return self.name in ("column", "columns")

    @property
    def allowed(self) -> str:
        """What the error message says is allowed."""
        match self.name:
            case "relation":
                needed = ", ".join(name for name, _ in self.columns)
                with_columns = f" with columns {needed}" if needed else ""
                return f"a table, a view or a query in parentheses{with_columns}"
            case "column":
                return f"{self.type_words or 'a column'} of {self.relation}"
            case "columns":
                each = f", each {self.type_words}" if self.type_words else ""
                return f"columns of {self.relation}, none twice{each}"
            case "choice":
                return "one of " + ", ".join(literal(c) for c in self.choices)
            case "texts":
                return "a list of texts, none twice"
            case "integer" | "number":
                article = "an" if self.name == "integer" else "a"
                return f"{article} {self.words}"
        return f"a {self.words}"

    def right(self, x: str) -> str:
        """A SQL condition: the argument ``x``, known not to be NULL, is of this kind."""
        match self.name:
            case "relation" | "column":
                return f"typeof({x}) = 'VARCHAR' and trim({x}::varchar) <> ''"
            case "columns" | "texts":
                return f"tanon._is_list_of_names({x}, {str(self.may_be_empty).lower()})"
            case "integer" | "number":
                whole = str(self.name == "integer").lower()
                within = self.range.format(x=f"try_cast({x}::varchar as double)")
                return f"tanon._is_number({x}, {whole})" + (f" and {within}" if within else "")
            case "boolean":
                return f"try_cast({x}::varchar as boolean) is not null"
            case "choice":
                return f"{x}::varchar in ({', '.join(literal(c) for c in self.choices)})"
        return "true"

    def quoted(self, x: str, prefix: str = "") -> str:
        """A SQL expression whose value is the argument, ready to stand in SQL text."""
        dotted = literal(f"{prefix}." if prefix else "")
        match self.name:
            case "relation":
                return literal(cte_name(x))
            case "column" | "columns":
                return f"tanon._identifiers({x}, {dotted})"
            case "texts":
                return f"tanon._texts({x})"
            case "integer" | "number" | "boolean":
                return f"tanon._plain({x})"
            case "value":
                return f"tanon._value({x})"
        return f"tanon._text({x})"

    def as_text(self, x: str) -> str:
        """A SQL expression whose value is a literal of what the user wrote: names as text."""
        listed = self.name in ("columns", "texts")
        return f"tanon._texts({x})" if listed else f"tanon._text({x})"


def cte_name(argument: str) -> str:
    """The name under which a body sees a relation argument."""
    return f"tanon_{argument}"


def parse(words: str) -> Kind:
    """The kind that these header words mean."""
    if found := _RELATION.fullmatch(words):
        columns = [c.strip().partition(" ") for c in (found[1] or "").split(",") if c.strip()]
        return Kind(words, "relation", columns=tuple((name, type) for name, _, type in columns))
    if found := _COLUMN.fullmatch(words):
        groups = [_TYPES[t.strip()] for t in (found[2] or "").split(",") if t.strip()]
        return Kind(
            words,
            found[1],
            not_null=" not null" in words,
            may_be_empty=" or none" in words,
            relation=found[3] or "source",
            types=tuple(pattern for _, pattern in groups),
            type_words=" or ".join(described for described, _ in groups),
        )
    if found := _NUMBER.fullmatch(words):
        return Kind(words, found[1], range=_range(found))
    if words.startswith("one of "):
        return Kind(words, "choice", choices=tuple(re.findall(r"'([^']*)'", words)))
    if words in ("text", "texts", "boolean", "value"):
        return Kind(words, words)
    raise TemplateError(f"unknown kind of argument: {words}")


def _range(found: re.Match[str]) -> str:
    if found[2]:
        return f"{{x}} {found[2]} {found[3]}"
    if found[4]:
        low, high = ">=" if found[4] == "[" else ">", "<=" if found[7] == "]" else "<"
        return f"{{x}} {low} {found[5]} and {{x}} {high} {found[6]}"
    return ""
