"""Kinds of texts, choices, conditions, booleans, secrets and numbers by name."""

import re
from typing import ClassVar

from tanon_duck.errors import SECRET_ALLOWED
from tanon_duck.macros.kinds.kind import Kind, sql_boolean, unless
from tanon_duck.macros.kinds.typed import NUMBER, join_list, list_of_texts, split_list
from tanon_duck.quoting import literal, literals


class Value(Kind):
    """A value of any type."""

    pattern = "value"
    name = "value"
    metavar = "VALUE"
    is_read_by_row = True

    @property
    def allowed(self) -> str:
        return f"a {self.words}"

    def wrong(self, x: str, say: str, optional: bool) -> str:
        return "" if optional else unless("true", x, say, optional)

    def quoted(self, x: str, prefix: str = "") -> str:
        return f"tanon._value({x})"


class Text(Kind):
    """One text."""

    pattern = "text"
    name = "text"
    metavar = "TEXT"
    allowed = "a text"

    def wrong(self, x: str, say: str, optional: bool) -> str:
        return "" if optional else unless("true", x, say, optional)

    def quoted(self, x: str, prefix: str = "") -> str:
        return f"tanon._text({x})"

    def from_typed(self, typed: list[str]) -> str:
        (text,) = typed
        return literal(text)


class Choice(Text):
    """One of the texts that the header names."""

    pattern = "one of .*"
    name = "choice"
    allowed = ""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.choices = tuple(re.findall(r"'([^']*)'", words))
        self.allowed = "one of " + ", ".join(literal(choice) for choice in self.choices)
        self.metavar = "{" + ",".join(self.choices) + "}"

    def wrong(self, x: str, say: str, optional: bool) -> str:
        known = literals(list(self.choices))
        return f"tanon._wrong_choice({say}, {x}, {known}, {sql_boolean(optional)})"


class Texts(Kind):
    """Several texts."""

    pattern = "texts"
    name = "texts"
    metavar = "TEXT,..."
    allowed = "a list of texts, none twice"
    is_listed = True

    def wrong(self, x: str, say: str, optional: bool) -> str:
        return f"tanon._wrong_names({say}, {x}, false, {sql_boolean(optional)})"

    def quoted(self, x: str, prefix: str = "") -> str:
        return f"tanon._texts({x})"

    def as_text(self, x: str) -> str:
        return f"tanon._texts({x})"

    def from_typed(self, typed: list[str]) -> str:
        return list_of_texts(split_list(typed))

    def as_typed(self, values: list[str]) -> list[str]:
        return [join_list(values)]


class Expressions(Texts):
    """SQL conditions on rows; a condition can contain commas."""

    pattern = "expressions"
    name = "expressions"
    metavar = "CONDITION"
    allowed = "a list of SQL conditions, none twice"

    def wrong(self, x: str, say: str, optional: bool) -> str:
        are_texts = unless(f"typeof({x}) in ('VARCHAR', 'VARCHAR[]')", x, say, optional)
        return f"coalesce({are_texts}, {super().wrong(x, say, optional)})"

    def quoted(self, x: str, prefix: str = "") -> str:
        return f"tanon._conditions({x})"

    def as_text(self, x: str) -> str:
        return f"tanon._text({x})"

    def from_typed(self, typed: list[str]) -> str:
        return list_of_texts(typed)

    def as_typed(self, values: list[str]) -> list[str]:
        return values


class Boolean(Kind):
    """Yes or no."""

    pattern = "boolean"
    name = "boolean"
    metavar = "VALUE"
    allowed = "a boolean"
    is_switch = True

    def wrong(self, x: str, say: str, optional: bool) -> str:
        return unless(f"try_cast({x}::varchar as boolean) is not null", x, say, optional)

    def quoted(self, x: str, prefix: str = "") -> str:
        return f"tanon._plain({x})"


class Secret(Kind):
    """A secret; it has no option on the command line, because other users see options."""

    pattern = "secret"
    name = "secret"
    names_function = True
    metavar = "VALUE"
    allowed = f"{SECRET_ALLOWED}, or a query in parentheses that reads one"

    def wrong(self, x: str, say: str, optional: bool) -> str:
        return f"tanon._wrong_secret({say}, {x})"

    def quoted(self, x: str, prefix: str = "") -> str:
        return f"tanon._secret_text({x}, {prefix})"


class _ByAttribute(Kind):
    """Numbers by attribute, as a struct or a map; typed as zip=2,sex=1 or as SQL."""

    name = "by attribute"
    metavar = "NAME=NUMBER,..."
    is_mapping = True
    _rule: ClassVar[str]
    _known: ClassVar[str] = ""  # the names that it may have, if these are no columns

    def wrong(self, x: str, say: str, optional: bool) -> str:
        wrong = unless(f"tanon._{self._rule}({x})", x, say, optional)
        if not self._known:
            return wrong
        names = f"tanon._names_by_number({x})"
        return f"coalesce(tanon._wrong_among({say}, {names}, tanon.{self._known}()), {wrong})"

    def from_typed(self, typed: list[str]) -> str:
        (text,) = typed
        pairs = [] if text.startswith("{") else [x.rpartition("=") for x in split_list(typed)]
        if pairs and all(name and NUMBER.fullmatch(number) for name, _, number in pairs):
            return f"map {{{', '.join(f'{literal(name)}: {n}' for name, _, n in pairs)}}}"
        return super().from_typed(typed)

    def quoted(self, x: str, prefix: str = "") -> str:
        return f"tanon._plain({x})"


class Levels(_ByAttribute):
    """The level of a hierarchy at which an attribute is fixed."""

    pattern = "levels"
    allowed = "levels by attribute such as {'zip': 2}, whole numbers of 0 or more"
    _rule = "are_levels"


class Preference(_ByAttribute):
    """The rule that chooses a release, or weights of attributes."""

    pattern = "preference"
    allowed = (
        "one of 'least', 'gen_s', 'discernibility', 'entropy', "
        "or weights by attribute such as {'zip': 2}"
    )
    _rule = "is_preference"

    def wrong(self, x: str, say: str, optional: bool) -> str:
        return f"{super().wrong(x, say, optional)} || tanon._hint({x}, tanon._preferences())"


class Limits(_ByAttribute):
    """Limits on the diversity of sensitive values in each group."""

    pattern = "limits"
    allowed = (
        "limits by name such as {'distinct_l': 3, 't': 0.2}: distinct_l of 2 or more, frequency_l "
        "and entropy_l above 1, recursive_c above 0, recursive_l of 2 or more beside it, t in "
        "[0, 1), beta above 0"
    )
    _rule = "are_limits"
    _known = "_limit_names"


class Presence(_ByAttribute):
    """Limits on how many people of the population match each group."""

    pattern = "presence"
    allowed = (
        "what is asked of the population by name such as {'k_map': 5, 'delta_high': 0.5}: k_map of "
        "2 or more, delta_low and delta_high in [0, 1], in this order"
    )
    _rule = "are_presence"
    _known = "_presence_names"
