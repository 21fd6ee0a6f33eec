"""The function that writes the SQL text of a call of a macro.

``tanon_duck.connect`` sets it, because the plans of all macros are in a package above this one.
"""

from collections.abc import Callable

_writers: list[Callable[[str, str], str]] = []


def set_writer(writer: Callable[[str, str], str]) -> None:
    """Set the function that writes SQL text from a macro's name and the text of its arguments."""
    _writers[:] = [writer]


def write_sql(macro: str, arguments: str) -> str:
    """Return the SQL text of a call of this macro with this text of arguments."""
    return _writers[0](macro, arguments)
