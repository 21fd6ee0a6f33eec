"""The kinds an argument can have: how it is checked and quoted when a macro is called.

A kind is written in the header of a function's file, for example ``integer > 1`` or
``column not null of source``; the words of the kind are also the words of its error message.
"""

import re
from dataclasses import dataclass

from tanon_duck.errors import SECRET_ALLOWED, TemplateError
from tanon_duck.quoting import literal, literals

_COLUMN = re.compile(
    r"(columns?)(?:\(([\w, ]+)\))?(?: not null)?(?: or none)?(?: of (\w+(?: and \w+)?))?"
)
_RELATION = re.compile(r"relation(?:\((.*)\))?")
_RATIONAL = re.compile(r"rational (>=|>) (\d+)")
_COSTS = re.compile(r"(number|formula) or relation\((.*)\)")
_NUMBER = re.compile(r"(integer|number)(?: (>=|>|<=|<) (\S+)| in ([\[(])(\S+), (\S+)([\])]))?")
_PLAIN = (
    *("text", "texts", "boolean", "time", "granularity", "granularities"),
    *("value", "expressions", "snapshots", "secret"),
    "count or share",
)
# Tables of one form: granules of a calendar, whose ends are exclusive; values of attributes.
_TABLES = {
    "calendar": (
        ("granularity", "varchar"),
        ("granule", "bigint"),
        ("label", "varchar"),
        ("starts", "timestamp"),
        ("ends", "timestamp"),
    ),
    "hierarchies": (
        ("attribute", "varchar"),
        ("level", "integer"),
        ("value", "varchar"),
        ("generalized", "varchar"),
    ),
}
_GRANULARITIES = {
    "granularity": "a built-in granularity, a bucket such as '15 minutes' or one of the calendar",
    "granularities": "a list of built-in granularities, buckets such as '15 minutes' or those "
    "of the calendar, none twice",
}
# Groups of column types, as DESCRIBE names them.
_INTEGER = "U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?"
_TYPES = {
    "time": ("a DATE or TIMESTAMP column", "DATE|TIMESTAMP.*"),
    "integer": ("an integer column", _INTEGER),
    "number": ("a numeric column", f"{_INTEGER}|FLOAT|DOUBLE|DECIMAL.*"),
    "list": ("a list column", r".*\[\d*\]"),
    "items": ("a column of items or of lists of items", ".*"),
    "plain": ("a column that is not nested", r"[^\[(]*|(DECIMAL|ENUM)\(.*\)"),
}

# Lists that are passed on as one typed literal: what is allowed, and the type.
_LISTS = {
    "positions": ("a list of positions, counted from 1, none twice", "integer[]"),
    "ranges": (
        "a list of {'position': 1, 'low': 0, 'high': 9}, no position twice, low <= high",
        'struct("position" integer, low double, high double)[]',
    ),
    "numbers": ("a list of two or more finite numbers", "double[]"),
    "sizes": ("a list of whole numbers above 0, none twice", "integer[]"),
}


@dataclass(frozen=True)
class Kind:
    """One kind of argument, as its header line spells it."""

    words: str
    name: str
    not_null: bool = False
    may_be_empty: bool = False
    relation: str = ""  # for columns: the relation argument, or both, that must have them
    types: tuple[str, ...] = ()  # for columns: patterns of the types they may have
    type_words: str = ""
    columns: tuple[tuple[str, str], ...] = ()  # for relations: columns they must have, typed
    choices: tuple[str, ...] = ()
    least: str = ""  # for rationals
    above: bool = False  # for rationals: the least one is not allowed itself
    rule: str = ""  # for costs: SQL condition on {x}, besides being a relation
    rule_words: str = ""
    bounds: tuple[str, ...] = ()  # for numbers: above, at least, at most, below

    @property
    def is_column(self) -> bool:
        return self.name in ("column", "columns")

    @property
    def list_type(self) -> str:
        """Of columns that may be lists, what a list written as text is read as; else nothing."""
        if not any(_TYPES[word][1] in self.types for word in ("list", "items")):
            return ""
        return "double[]" if _TYPES["number"][1] in self.types else "varchar[]"

    def is_column_of(self, relation: str) -> bool:
        """Whether it names columns of this relation argument."""
        return self.is_column and relation in self.relation.split(" and ")

    @property
    def allowed(self) -> str:
        """What the error message says is allowed."""
        match self.name:
            case "relation":
                needed = self._column_names()
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
            case "rational":
                least = f"greater than {self.least}" if self.above else f"of at least {self.least}"
                return f"a rational number {least} such as 3, 2.5 or '5/2'"
            case "snapshots":
                return (
                    "a unit such as 'hour', 'day', 'week' or 'month', several such as '3 days', "
                    "or the width of a snapshot where ts is an integer column"
                )
            case "costs":
                return f"{self.rule_words} or a table with columns {self._column_names()}"
            case "secret":
                return f"{SECRET_ALLOWED}, or a query in parentheses that reads one"
            case "expressions":
                return "a list of SQL conditions, none twice"
            case "count or share":
                return "a count of at least 1, or a share in (0, 1] with a decimal point"
            case "positions" | "ranges" | "numbers" | "sizes":
                return _LISTS[self.name][0]
            case "granularity" | "granularities":
                return _GRANULARITIES[self.name]
            case "integer" | "number":
                article = "an" if self.name == "integer" else "a"
                return f"{article} {self.words}"
        return f"a {self.words}"

    def _column_names(self) -> str:
        return ", ".join(name for name, _ in self.columns)

    def wrong(self, x: str, say: str, optional: bool) -> str:
        """A SQL expression: NULL, or a message that begins with ``say`` if ``x`` is wrong."""
        end = f"{str(optional).lower()})"
        match self.name:
            case "relation" | "column":
                return f"tanon._wrong_name({say}, {x}, {end}"
            case "columns" | "texts" | "expressions":
                names = "columns" if self.name == "columns" else "names"
                empty = str(self.may_be_empty).lower()
                return f"tanon._wrong_{names}({say}, {x}, {empty}, {end}"
            case "rational":
                rule = f"tanon._is_rational{'_above' if self.above else ''}({x}, {self.least})"
                return f"tanon._wrong_unless({say}, {x}, {rule}, {end}"
            case "secret":
                return f"tanon._wrong_secret({say}, {x})"
            case "snapshots":
                rule = f"tanon._is_snapshots({x}::varchar)"
                return f"tanon._wrong_unless({say}, {x}, {rule}, {end}"
            case "count or share":
                rule = f"tanon._is_count_or_share({x}::varchar)"
                return f"tanon._wrong_unless({say}, {x}, {rule}, {end}"
            case "costs":
                rule = f"{self.rule.format(x=x)} or tanon._may_be_relation({x})"
                return f"tanon._wrong_unless({say}, {x}, {rule}, {end}"
            case "positions" | "ranges" | "numbers" | "sizes":
                return f"tanon._wrong_unless({say}, {x}, tanon._are_{self.name}({x}), {end}"
            case "integer" | "number":
                whole = str(self.name == "integer").lower()
                bounds = ", ".join(self.bounds)
                return f"tanon._wrong_number({say}, {x}, {whole}, {bounds}, {end}"
            case "choice":
                return f"tanon._wrong_choice({say}, {x}, {literals(list(self.choices))}, {end}"
            case "granularity" | "granularities":
                return f"tanon._wrong_granularities({say}, {x}, calendar is not null, {end}"
            case "boolean":
                return (
                    f"tanon._wrong_unless({say}, {x}, "
                    f"try_cast({x}::varchar as boolean) is not null, {end}"
                )
        return "" if optional else f"tanon._wrong_unless({say}, {x}, true, {end}"

    def quoted(self, x: str, prefix: str = "") -> str:
        """A SQL expression whose value is the argument, ready to stand in SQL text."""
        dotted = literal(f"{prefix}." if prefix else "")
        match self.name:
            case "relation":
                return literal(cte_name(x))
            case "column" | "columns":
                return f"tanon._identifiers({x}, {dotted})"
            case "texts" | "granularities":
                return f"tanon._texts({x})"
            case "integer" | "number" | "boolean" | "count or share":
                return f"tanon._plain({x})"
            case "value":
                return f"tanon._value({x})"
            case "secret":
                return f"tanon._secret_text({x})"
            case "snapshots":
                return f"tanon._pace({x}::varchar)"
            case "expressions":
                return f"tanon._conditions({x})"
            case "positions" | "ranges" | "numbers" | "sizes":
                return f"tanon._text({x}) || {literal('::' + _LISTS[self.name][1])}"
        return f"tanon._text({x})"

    def as_text(self, x: str) -> str:
        """A SQL expression whose value is a literal of what the user wrote: names as text."""
        listed = self.name in ("columns", "texts", "granularities")
        return f"tanon._texts({x})" if listed else f"tanon._text({x})"


def cte_name(argument: str) -> str:
    """The name under which a body sees a relation argument."""
    return f"tanon_{argument}"


def parse(words: str) -> Kind:
    """The kind that these header words mean."""
    if words in _TABLES:
        return Kind(words, "relation", columns=_TABLES[words])
    if found := _RELATION.fullmatch(words):
        return Kind(words, "relation", columns=_typed_columns(found[1] or ""))
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
        return Kind(words, found[1], bounds=_bounds(found))
    if found := _RATIONAL.fullmatch(words):
        return Kind(words, "rational", least=found[2], above=found[1] == ">")
    if found := _COSTS.fullmatch(words):
        return _costs(words, found)
    if words.startswith("one of "):
        return Kind(words, "choice", choices=tuple(re.findall(r"'([^']*)'", words)))
    if words in _PLAIN or words in _LISTS:
        return Kind(words, words)
    raise TemplateError(f"unknown kind of argument: {words}")


def _typed_columns(words: str) -> tuple[tuple[str, str], ...]:
    columns = [c.strip().partition(" ") for c in words.split(",") if c.strip()]
    return tuple((name, type) for name, _, type in columns)


def _costs(words: str, found: re.Match[str]) -> Kind:
    """Costs that follow a rule, or stand in a table with the columns named."""
    rule, described = "tanon._is_cost_formula({x})", "'d', 'd^2', a multiple such as '2.5*d'"
    if found[1] == "number":
        rule, described = "tanon._is_positive({x})", "a number > 0"
    return Kind(words, "costs", columns=_typed_columns(found[2]), rule=rule, rule_words=described)


def _bounds(found: re.Match[str]) -> tuple[str, ...]:
    """The numbers to be above, at least, at most and below, infinite where nothing is said."""
    given = {found[2]: found[3]}
    if found[4]:
        given = {">=" if found[4] == "[" else ">": found[5]}
        given["<=" if found[7] == "]" else "<"] = found[6]
    low, high = "'-inf'::double", "'inf'::double"
    return tuple(given.get(sign, low if ">" in sign else high) for sign in (">", ">=", "<=", "<"))
