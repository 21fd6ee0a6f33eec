"""What every kind of argument says of itself."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar, Self

from tanon_duck.macros.kinds.typed import any_value


class Kind(ABC):
    """One kind of argument, as its header line spells it.

    What is abstract every kind has to say; a class that forgets one of these cannot be made.
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
        """All classes below this one."""
        for each in cls.__subclasses__():
            yield each
            yield from each.below()

    @property
    @abstractmethod
    def name(self) -> str:
        """The kind without what a header says besides."""

    @property
    @abstractmethod
    def metavar(self) -> str:
        """What stands for a value in the help of the command line."""

    @property
    @abstractmethod
    def allowed(self) -> str:
        """What the error message says is allowed."""

    @abstractmethod
    def wrong(self, x: str, say: str, optional: bool) -> str:
        """A SQL expression: NULL, or a message that begins with ``say`` if ``x`` is wrong."""

    @abstractmethod
    def quoted(self, x: str, prefix: str = "") -> str:
        """A SQL expression whose value is the argument, ready to stand in SQL text."""

    def as_text(self, x: str) -> str:
        """A SQL expression whose value is a literal of what the user wrote: names as text."""
        return f"tanon._text({x})"

    def form(self, x: str, form: str, prefix: str) -> str | None:
        """A SQL expression for ``{x:form}`` in a body; None if the kind has no such form."""
        return self.as_text(x) if form == "text" else None

    def from_typed(self, typed: list[str]) -> str:
        """The SQL value of what was typed on the command line; ValueError for a wrong one."""
        (text,) = typed
        return any_value(text)

    def as_typed(self, values: list[str]) -> list[str]:
        """The opposite: what is typed for these values, as one word or as several."""
        return values

    def is_column_of(self, relation: str) -> bool:
        """Whether it names columns of this relation argument."""
        return self.is_column and relation in self.relation.split(" and ")

    def _found(self) -> re.Match[str]:
        """The words, taken apart."""
        found = re.fullmatch(self.pattern, self.words)
        assert found is not None
        return found


def cte_name(argument: str) -> str:
    """The name under which a body sees a relation argument."""
    return f"tanon_{argument}"


def unless(rule: str, x: str, say: str, optional: bool) -> str:
    """The check of most kinds: wrong where a SQL condition does not hold."""
    return f"tanon._wrong_unless({say}, {x}, {rule}, {sql_boolean(optional)})"


def sql_boolean(value: bool) -> str:
    """The SQL of a truth value."""
    return str(value).lower()


def typed_columns(words: str) -> tuple[tuple[str, str], ...]:
    """The columns of ``low DOUBLE[], word VARCHAR``, each with its type."""
    columns = [c.strip().partition(" ") for c in words.split(",") if c.strip()]
    return tuple((name, type) for name, _, type in columns)
