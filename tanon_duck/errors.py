"""Every message of the package, and the one class of its errors.

The same words come from Python (``raise TanonError``) and from SQL (``error(...)``):
``tanon.<function>: <argument> must be <what is allowed>, got <what came>``.
"""

import sys
import warnings
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from types import FrameType

SECRET_ALLOWED = (
    "at least 32 hexadecimal digits drawn at random, as tanon_duck.new_secret() and "
    "openssl rand -hex 32 draw them"
)

ROLES_OF_THE_SHELL = (
    "; the stock shell sees what is declared after: set variable tanon_roles = tanon.declared()"
)


class TanonError(Exception):
    """What the toolkit raises; the message says what to do."""


class DataError(TanonError):
    """The message may hold values of the data; ``without_values`` says the same without."""

    def __init__(self, message: str, without_values: str) -> None:
        super().__init__(message)
        self.without_values = without_values


class TemplateError(TanonError):
    """A SQL file of the package is wrong: a mistake of its author, not of its user."""


class TanonWarning(UserWarning):
    """What the toolkit warns of: the result is right, and may not be what was wanted."""


def warn(message: str) -> None:
    """Warn whoever asked: the nearest caller outside the package; none in a thread of DuckDB's."""
    own, level = str(Path(__file__).parent), 1
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_code.co_filename.startswith(own):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, TanonWarning, stacklevel=level)


def subject(function: str, argument: str) -> str:
    """Whom a message is about."""
    return f"tanon.{function}: {argument}"


def must_be_allowed(function: str, argument: str, allowed: str) -> str:
    """The message up to what came, which only SQL knows."""
    return f"{subject(function, argument)} must be {allowed}"


def must_be(function: str, argument: str, allowed: str, got: object) -> str:
    """The message for a wrong argument."""
    return f"{must_be_allowed(function, argument, allowed)}, got {got}"


def how_to_declare(roles: Sequence[str]) -> str:
    """What can be declared once for an argument that a call leaves out."""
    wanted = " or ".join(roles)
    return f"tanon.declare gives a column the role {wanted}".replace("role generalized", "way of a")


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint at the known word that was probably meant, or nothing."""
    close = get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""


def unknown_function(word: str, known: Iterable[str]) -> str:
    """The message for a function that does not exist."""
    return f"there is no function tanon.{word}{nearest(word, known)}"


def unknown_argument(function: str, word: str, known: Iterable[str]) -> str:
    """The message for an argument that a function does not have."""
    known = list(known)
    return (
        f"tanon.{function}: arguments must be some of {', '.join(known)}, "
        f"got {word}{nearest(word, known)}"
    )


def missing_argument(function: str, argument: str, meaning: str) -> str:
    """The message for an argument that has to be given and is not."""
    return f"{subject(function, argument)} is missing: {meaning}"


def named_by_assignment(function: str, argument: str) -> str:
    """The message for a comparison where an argument was meant."""
    return f"{subject(function, argument)} must be named by :=, as in {argument} := ..., got ="


def too_many_arguments(function: str, known: int, given: int) -> str:
    """The message for a call with more arguments than the function has."""
    return f"tanon.{function} takes at most {known} arguments, got {given}"


def gives_rows(function: str) -> str:
    """The message for a table function where a value was expected."""
    return f"tanon.{function} gives rows: write from tanon.{function}(...)"


def is_an_expression(function: str) -> str:
    """The message for an expression where rows were expected."""
    return f"tanon.{function} is an expression: write select tanon.{function}(...)"


def not_a_check(function: str, known: Iterable[str]) -> str:
    """The message for a function that promises nothing."""
    return f"tanon.{function} is not a check: checks are {', '.join(known)}"


def nothing_promised(function: str, bounds: Sequence[str]) -> str:
    """The message for a check that is given nothing to hold its figures to."""
    named = " or ".join(filter(None, [", ".join(bounds[:-1]), bounds[-1]]))
    return f"tanon.{function}: {named} must be given where it is a check, got none"


def not_for_others(function: str, known: Iterable[str]) -> str:
    """The message for a function whose result is no release."""
    return (
        f"tanon.{function} gives no release with these arguments: "
        f"releases are made by {', '.join(known)}, without for_owner"
    )


def release_fails(function: str, what: str) -> str:
    """The message for a release that does not keep what it promises."""
    return f"tanon.{function}: the release must keep its promises, got {what}: nothing was written"


def not_a_call(text: str) -> str:
    """The message for what should be a call of ours, to be shown or run step by step."""
    return f"a call such as from tanon.k_anonymity('visits', ...) is wanted, got {text.strip()!r}"


def needs_python(function: str) -> str:
    """What the stock shell answers where a function runs in Python."""
    return (
        f"tanon.{function} needs Python: it runs in tanon-duck shell, as tanon-duck {function} "
        "and on connections of tanon_duck.connect"
    )


def other_version(database: str, found: str, own: str) -> str:
    """The message for a database that carries functions of another version."""
    return (
        f"{database} carries tanon functions of version {found}, this is tanon_duck {own}: "
        f"type `tanon-duck install {database}` to renew them or "
        f"`tanon-duck uninstall {database}` to take them out"
    )


def not_a_database(path: object) -> str:
    """The message for a file of data where something is to be kept."""
    return f"{path} is not a DuckDB database: nothing can be kept in it"


def closed_connection() -> str:
    """The message where roles cannot be read any more."""
    return (
        "tanon: the connection that tanon_duck.connect opened is closed, so that roles cannot be "
        "read: keep it open as long as its cursors, or name all columns in the call"
    )


def foreign_schema(database: str) -> str:
    """The message for a database whose own schema has the name of ours."""
    return (
        f"{database} has a schema named tanon that is not of this package: "
        "rename it, so that tanon.<function> can be found"
    )


def changed_functions(database: str) -> str:
    """The message for a database whose functions say that they are ours, and are not."""
    return (
        f"{database} carries functions named tanon that are not those of this tanon_duck: "
        f"type `tanon-duck install {database}` to renew them or "
        f"`tanon-duck uninstall {database}` to take them out"
    )


def database_named_tanon() -> str:
    """The message for a database file called tanon."""
    return (
        "a database named tanon hides the functions tanon.<function>: "
        "rename the file or attach it under another name"
    )


def unknown_command(word: str, known: Iterable[str]) -> str:
    """The message for a command line whose first word means nothing."""
    return f"there is no command {word!r}{nearest(word, known)}"


def unreadable_log(database: str, why: str) -> str:
    """The message for a database whose write-ahead log DuckDB refuses: after a loss of power."""
    return (
        f"{database} cannot be opened with the log beside it ({why}): move {database}.wal away, "
        "and the file stands as at its last checkpoint; what a publication released since comes "
        "again, row by row the same, with its next advance; other tables lack what the log held"
    )


def no_such_file(path: object) -> str:
    """The message for an input that is not there."""
    return f"there is no file {path}"


def circular_link(path: object) -> str:
    """The message for a file that is a link, and no file at its end."""
    return f"{path} is a link that leads back to itself"


def empty_file(name: object) -> str:
    """The message for an input in which there is nothing at all."""
    return f"{name} is empty: not even the names of columns are there"


def holds_other_files(path: object) -> str:
    """The message for a folder that a release may not take the place of."""
    return f"{path} holds more than the parts of a release, and is left as it is"


def not_in_encoding(path: object, encoding: str) -> str:
    """The message for text in other bytes than was said, or than is usual."""
    return f"{path} is not text in {encoding}: name its own, such as --encoding latin-1"


def unreadable_file(path: object, kind: str, error: BaseException) -> DataError:
    """The error for a file that is not what its name says. Its own lines stay out: people."""
    said = str(error).split("\n\nLINE ")[0].partition(": ")[2].splitlines()
    told = [
        line.strip(" .") for line in said if line.strip() and not line.startswith("Original Line")
    ]
    message = f"{path} cannot be read as {kind}"
    return DataError(f"{message}: {'; '.join(told[:2])[:300]}", message)


def too_few_rows(function: str, argument: str, least: int, found: int) -> DataError:
    """The error for a table that a check says nothing of, as it lacks rows. A count is no value."""
    wanted = "a row, unless allow_empty says otherwise" if least == 1 else f"min_rows ({least})"
    message = must_be(function, argument, f"a relation with {wanted}", f"{found} rows")
    return DataError(message, message)


def file_exists(path: object) -> str:
    """The message for an output that would be overwritten."""
    return f"{path} exists already, and is left as it is"


def one_line(error: BaseException) -> str:
    """An error as one line: DuckDB's prefixes and its picture of the statement left out."""
    text = str(error).split("\n\nLINE ")[0]
    for prefix in ("Invalid Input Error: ", "Binder Error: "):
        if text.startswith(prefix + "tanon."):
            text = text.removeprefix(prefix)
    return " ".join(text.split())


def not_on_shards(function: str, why: str) -> str:
    """The message for a function that does not run on shards of a table."""
    return f"tanon.{function} does not run on shards: {why or 'it reads no rows of a table'}"


def of_one_shard(message: str) -> str:
    """What a shard says: figures in it are those of its own rows."""
    return f"{message} (counted in one shard of the rows)"


def without_values(error: BaseException) -> str:
    """A message for the logs of a cluster: what was wanted, and not what came of whom."""
    said = one_line(error)
    if not said.startswith("tanon."):
        return f"tanon.shard: {type(error).__name__} in one shard; what it says may hold values"
    return said.partition(", got ")[0]
