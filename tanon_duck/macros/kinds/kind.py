"""The base class of all kinds of arguments."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar, Self

from tanon_duck.macros.kinds.typed import any_value


class Kind(ABC):
    """One kind of argument, as its header line spells it.

    Subclasses implement the abstract methods: name, check, and quoting.
    """

    pattern: ClassVar[str]  # a regular expression of the words that mean this kind

    # What only some kinds have.
    choices: tuple[str, ...] = ()
    columns: tuple[tuple[str, str], ...] = ()  # of a relation: those that it must have, typed
    relation: str = ""  # of columns: the relation argument, or both, that must have them
    types: tuple[str, ...] = ()  # of columns: patterns of the types they may have
    type_words: str = ""
    list_type: str = ""  # of columns that may be lists: what a list written as text is read as
    not_null: bool = False

    # Whether ``quoted`` gets the name of the called function as its prefix.
    names_function: bool = False
    is_column: bool = False
    is_listed: bool = False  # several values may be typed, by commas or by repeating the option
    is_mapping: bool = False  # values by name: a struct or a map, in a policy a table
    is_switch: bool = False  # typed as --option or --no-option
    is_read_by_row: bool = False  # what a scalar function may be given as a column of the INPUT

    def __init__(self, words: str) -> None:
        self.words = words

    @classmethod
    def below(cls) -> Iterator[type[Self]]:
        """Yield all direct and indirect subclasses."""
        for each in cls.__subclasses__():
            yield each
            yield from each.below()

    @property
    @abstractmethod
    def name(self) -> str:
        """Return the name of the kind without bounds or other details."""

    @property
    @abstractmethod
    def metavar(self) -> str:
        """Return the placeholder of a value in the command line help: ``COLUMN``."""

    @property
    @abstractmethod
    def allowed(self) -> str:
        """Return the words of the error message for allowed values."""

    @abstractmethod
    def wrong(self, x: str, say: str, optional: bool) -> str:
        """Return SQL that is NULL, or a message that begins with ``say`` if ``x`` is wrong."""

    @abstractmethod
    def quoted(self, x: str, prefix: str = "") -> str:
        """Return SQL whose value is the argument, quoted for use in SQL text."""

    def as_text(self, x: str) -> str:
        """Return SQL whose value is the argument as a literal: names become texts."""
        return f"tanon._text({x})"

    def form(self, x: str, form: str, prefix: str) -> str | None:
        """Return SQL for ``{x:form}`` in a body; None if the kind has no such form."""
        return self.as_text(x) if form == "text" else None

    def from_typed(self, typed: list[str]) -> str:
        """Convert typed words to a SQL value; raise ValueError for a wrong value."""
        (text,) = typed
        return any_value(text)

    def as_typed(self, values: list[str]) -> list[str]:
        """Convert values to the words that a user types; the inverse of ``from_typed``."""
        return values

    def is_column_of(self, relation: str) -> bool:
        """Return whether the argument names columns of this relation argument."""
        return self.is_column and relation in self.relation.split(" and ")

    def _found(self) -> re.Match[str]:
        """Match the words of the header with the pattern."""
        found = re.fullmatch(self.pattern, self.words)
        assert found is not None
        return found


def cte_name(argument: str) -> str:
    """Return the CTE name of a relation argument: ``tanon_source``."""
    return f"tanon_{argument}"


def unless(rule: str, x: str, say: str, optional: bool) -> str:
    """Return the check that a SQL condition holds."""
    return f"tanon._wrong_unless({say}, {x}, {rule}, {sql_boolean(optional)})"


def sql_boolean(value: bool) -> str:
    """Return ``true`` or ``false``."""
    return str(value).lower()


def typed_columns(words: str) -> tuple[tuple[str, str], ...]:
    """Parse ``low DOUBLE[], word VARCHAR`` to pairs of column and type."""
    columns = [c.strip().partition(" ") for c in words.split(",") if c.strip()]
    return tuple((name, type) for name, _, type in columns)
