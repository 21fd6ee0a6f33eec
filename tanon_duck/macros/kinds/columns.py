"""Columns of a relation argument, one or several."""

from tanon_duck.macros.kinds.kind import Kind, sql_boolean
from tanon_duck.macros.kinds.typed import join_list, list_of_texts, split_list
from tanon_duck.quoting import literal

# Groups of column types, as DESCRIBE names them.
_INTEGER = "U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?"
_NUMBER = rf"{_INTEGER}|FLOAT|DOUBLE|DECIMAL\(.*\)"
_TYPES = {
    "time": ("a DATE or TIMESTAMP column", "DATE|TIMESTAMP.*"),
    "integer": ("an integer column", _INTEGER),
    "number": ("a numeric column", _NUMBER),
    "list": ("a list column", r".*\[\d*\]"),
    "numbers": ("a column of lists of numbers", rf"({_NUMBER})\[\d*\]"),
    "items": ("a column of items or of lists of items", ".*"),
    "plain": ("a column that is not nested", r"[^\[(]*|(DECIMAL|ENUM)\(.*\)"),
}
_GROUP = f"(?:{'|'.join(_TYPES)})"
_TYPED = rf"(?:\((?P<types>{_GROUP}(?:, ?{_GROUP})*)\))?"
_OF = r"(?: of (?P<relation>\w+(?: and \w+)*))?"


class _OfRelation(Kind):
    """The common part of ``Column`` and ``Columns``."""

    is_column = True

    def __init__(self, words: str) -> None:
        super().__init__(words)
        found = self._found()
        groups = [word.strip() for word in (found["types"] or "").split(",") if word]
        self.relation = found["relation"] or "source"
        self.not_null = " not null" in words
        if {"list", "number"} <= set(groups):
            groups[groups.index("list")] = "numbers"
        self.types = tuple(_TYPES[group][1] for group in groups)
        self.type_words = " or ".join(_TYPES[group][0] for group in groups)
        if {"list", "numbers", "items"} & set(groups):
            self.list_type = "double[]" if "number" in groups else "varchar[]"

    def quoted(self, x: str, prefix: str = "") -> str:
        return f"tanon._identifiers({x}, {_dotted(prefix)})"

    def form(self, x: str, form: str, prefix: str) -> str | None:
        if form == "encoded":
            return f"tanon._encoded_text({x}, {_dotted(prefix)})"
        if form == "ordered":
            return f"tanon._ordered({x}, {_dotted(prefix)})"
        return super().form(x, form, prefix)


def _dotted(prefix: str) -> str:
    return literal(f"{prefix}." if prefix else "")


class Column(_OfRelation):
    """The name of one column."""

    pattern = rf"column{_TYPED}(?: not null)?(?: or none)?{_OF}"
    name = "column"
    metavar = "COLUMN"

    @property
    def allowed(self) -> str:
        return f"{self.type_words or 'a column'} of {self.relation}"

    def wrong(self, x: str, say: str, optional: bool) -> str:
        return f"tanon._wrong_name({say}, {x}, {sql_boolean(optional)})"

    def quoted(self, x: str, prefix: str = "") -> str:
        return f"tanon._column({x}, {_dotted(prefix)})"

    def from_typed(self, typed: list[str]) -> str:
        (text,) = typed
        return literal(text)


class Columns(_OfRelation):
    """The names of several columns; no column is allowed only with ``or none`` in the header."""

    pattern = rf"columns{_TYPED}(?: not null)?(?P<empty> or none)?{_OF}"
    name = "columns"
    metavar = "COLUMN,..."
    is_listed = True

    @property
    def allowed(self) -> str:
        each = f", each {self.type_words}" if self.type_words else ""
        return f"columns of {self.relation}, none twice{each}"

    def wrong(self, x: str, say: str, optional: bool) -> str:
        empty = sql_boolean(self._found()["empty"] is not None)
        return f"tanon._wrong_columns({say}, {x}, {empty}, {sql_boolean(optional)})"

    def as_text(self, x: str) -> str:
        return f"tanon._texts({x})"

    def from_typed(self, typed: list[str]) -> str:
        is_none = typed == ["[]"] and self._found()["empty"] is not None
        return list_of_texts([] if is_none else split_list(typed))

    def as_typed(self, values: list[str]) -> list[str]:
        return [join_list(values)]
