"""Errors and warnings of the package, and messages that several modules use.

Python (``raise TanonError``) and SQL (``error(...)``) write wrong arguments in the same form:
``tanon.<function>: <argument> must be <allowed>, got <value>``. A message of only one module
is in that module.
"""

import sys
import warnings
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from types import FrameType

from tanon_duck.former_names import FORMER_NAMES

SECRET_ALLOWED = (
    "at least 32 hexadecimal digits drawn at random, as tanon_duck.new_secret() and "
    "openssl rand -hex 32 draw them"
)

ROLES_OF_THE_SHELL = (
    "; the stock shell sees what is declared after: set variable tanon_roles = tanon.roles_text()"
)


class TanonError(Exception):
    """An error of the package; its message says what to type."""


class DataError(TanonError):
    """An error whose message can contain values; ``without_values`` is the message without them."""

    def __init__(self, message: str, without_values: str) -> None:
        super().__init__(message)
        self.without_values = without_values


class NotToldError(TanonError):
    """A check could not run, so it is unknown whether its promise holds: exit status 2."""


class TemplateError(TanonError):
    """A mistake in a SQL file of the package, for its author, not for a user."""


class TanonWarning(UserWarning):
    """A warning: the result is correct, but possibly not the intended one."""


def warn(message: str) -> None:
    """Emit a warning that Python attributes to the first caller outside of this package."""
    own, level = str(Path(__file__).parent), 1
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_code.co_filename.startswith(own):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, TanonWarning, stacklevel=level)


def subject(function: str, argument: str) -> str:
    """Return the start of a message: ``tanon.<function>: <argument>``."""
    return f"tanon.{function}: {argument}"


def must_be_allowed(function: str, argument: str, allowed: str) -> str:
    """Return a message without ``, got ...``, which SQL appends."""
    return f"{subject(function, argument)} must be {allowed}"


def must_be(function: str, argument: str, allowed: str, got: object) -> str:
    """Return the message for a wrong argument."""
    return f"{must_be_allowed(function, argument, allowed)}, got {got}"


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a hint at a known word: the new name of a renamed one, or else a similar one.

    nearest("uid", ["qi", "respondent"]) is "; it is now called 'respondent'".
    """
    known = list(known)
    renamed = FORMER_NAMES.get(word.removeprefix("--"), "")
    if word.startswith("--"):
        renamed = "--" + renamed.replace("_", "-")
    if renamed in known:
        return f"; it is now called {renamed!r}"
    close = get_close_matches(word, known, n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""


def unknown_function(word: str, known: Iterable[str]) -> str:
    """Return the message for a function that does not exist."""
    return f"there is no function tanon.{word}{nearest(word, known)}"


def unknown_argument(function: str, word: str, known: Iterable[str]) -> str:
    """Return the message for an argument that a function does not have."""
    known = list(known)
    return (
        f"tanon.{function}: arguments must be some of {', '.join(known)}, "
        f"got {word}{nearest(word, known)}"
    )


def missing_argument(function: str, argument: str, meaning: str) -> str:
    """Return the message for an argument that has to be given and is not."""
    return f"{subject(function, argument)} is missing: {meaning}"


def nothing_promised(function: str, bounds: Sequence[str]) -> str:
    """Return the message for a check without any bound for its figures."""
    named = " or ".join(filter(None, [", ".join(bounds[:-1]), bounds[-1]]))
    return f"tanon.{function}: {named} must be given where it is a check, got none"


def not_for_others(function: str, known: Iterable[str]) -> str:
    """Return the message for a function whose result is no release."""
    return (
        f"tanon.{function} gives no release with these arguments: "
        f"releases are made by {', '.join(known)}, without for_owner, with a result for others"
    )


def needs_python(function: str) -> str:
    """Return the message of the stock shell for a function that needs Python."""
    return (
        f"tanon.{function} needs Python: it runs in tanon-duck shell, as tanon-duck {function} "
        "and on connections of tanon_duck.connect"
    )


def not_a_database(path: object) -> str:
    """Return the message for a data file in the place of a database."""
    return f"{path} is not a DuckDB database: nothing can be kept in it"


def foreign_schema(database: str) -> str:
    """Return the message for a database whose own schema has the name of ours."""
    return (
        f"{database} has a schema named tanon that is not of this package: "
        "rename it, so that tanon.<function> can be found"
    )


def database_named_tanon() -> str:
    """Return the message for a database file called tanon."""
    return (
        "a database named tanon hides the functions tanon.<function>: "
        "rename the file or attach it under another name"
    )


def no_such_file(path: object) -> str:
    """Return the message for an input file that does not exist."""
    return f"there is no file {path}"


def circular_link(path: object) -> str:
    """Return the message for a file that is a link, and no file at its end."""
    return f"{path} is a link that leads back to itself"


def empty_file(name: object) -> str:
    """Return the message for an empty input file."""
    return f"{name} is empty: not even the names of columns are there"


def not_in_encoding(path: object, encoding: str, setting: str) -> str:
    """Return the message for a text file with bytes that its encoding does not have."""
    return f"{path} is not text in {encoding}: name its own, such as {setting}"


def file_exists(path: object) -> str:
    """Return the message for an output that would be overwritten."""
    return f"{path} exists already, and is left as it is"


def one_line(error: BaseException) -> str:
    """Return an error as one line, without DuckDB's prefix and picture of the statement."""
    text = str(error).split("\n\nLINE ")[0]
    for prefix in ("Invalid Input Error: ", "Binder Error: "):
        if text.startswith(prefix + "tanon."):
            text = text.removeprefix(prefix)
    return " ".join(text.split())
