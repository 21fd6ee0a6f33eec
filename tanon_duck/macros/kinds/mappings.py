"""Kinds that map names to texts: a struct or a map, such as ``{'zip': 'prefixes 3'}``."""

from tanon_duck.macros.kinds.kind import Kind, sql_boolean
from tanon_duck.quoting import literal


class _Mapping(Kind):
    """Names of columns, and a text for each."""

    metavar = "COLUMN=TEXT"
    is_listed = True
    is_mapping = True

    def wrong(self, x: str, say: str, optional: bool) -> str:
        return f"tanon._wrong_{self.words}({say}, {x}, {sql_boolean(optional)})"

    def quoted(self, x: str, prefix: str = "") -> str:
        return f"tanon._map_text({x})"

    def from_typed(self, typed: list[str]) -> str:
        pairs = [text.partition("=") for text in typed]
        for text, (name, equals, _) in zip(typed, pairs, strict=True):
            if not (name and equals):
                raise ValueError(f"must be such as zip='prefixes 3', got {text}")
        said = ", ".join(f"{literal(name)}: {literal(value)}" for name, _, value in pairs)
        return f"map {{{said}}}"

    def as_typed(self, values: list[str]) -> list[str]:
        return values


class Roles(_Mapping):
    """The role of each column."""

    pattern = "roles"
    name = "roles"
    allowed = (
        "a struct or a map of columns and what they are, respondent, quasi-identifier, time, "
        "sensitive, keep, drop or none, such as {'patient': 'respondent', 'zip': "
        "'quasi-identifier; prefixes 3'}"
    )


class Ways(_Mapping):
    """The generalization of each column."""

    pattern = "ways"
    name = "ways"
    allowed = (
        "a struct or a map of columns and how they are generalized, such as {'age': 'intervals 5, "
        "10 from 1 below 18 above 90', 'zip': 'prefixes 4, 3', 'sex': 'list', 'income': 'quantiles "
        "4, 2', 'born': 'dates year, decade', 'district': 'parents districts(district, region)'}"
    )


class Groups(_Mapping):
    """The group of each value."""

    pattern = "groups"
    name = "groups"
    allowed = "a struct or a map of values and their groups, such as {'flu': 'lung'}"


class Offers(_Mapping):
    """Named choices, each with its granularities and columns."""

    pattern = "choices"
    name = "choices"
    allowed = (
        "a struct or a map of names and what each offers, granularities and columns, such as "
        "{'time alone': ['week', 'month'], 'with zip': ['week', 'month', 'zip']}"
    )
