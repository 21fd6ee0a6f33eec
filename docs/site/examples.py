"""What the examples of the headers give on the tables of the demo."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass

import tanon_duck
from tanon_duck import demo, secret
from tanon_duck.macros import catalog

_MOST_ROWS = 12
# A secret that is none, as it stands here: a site that is built again must be the same.
_KNOWN = hashlib.sha256(b"the documentation of tanon_duck").hexdigest()


@dataclass(frozen=True)
class Given:
    """The result of an example: names, types and rows as words; rows that are not shown."""

    columns: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, ...], ...]
    left: int = 0


def given_by_examples() -> dict[str, Given]:
    """Each function's example, run on tables of its own."""
    usual = os.environ.get(secret.VARIABLE)
    os.environ[secret.VARIABLE] = _KNOWN
    try:
        return {name: given_by(name) for name in catalog.functions()}
    finally:
        os.environ.pop(secret.VARIABLE)
        if usual is not None:
            os.environ[secret.VARIABLE] = usual


def given_by(name: str) -> Given:
    """What one example gives."""
    with tanon_duck.connect() as connection:
        demo.create_tables(connection)
        found = connection.execute(catalog.function(name).header.example)
        columns = tuple((str(c[0]), str(c[1])) for c in found.description or ())
        rows = found.fetchall()
    shown = tuple(tuple(_word(value) for value in row) for row in rows[:_MOST_ROWS])
    return Given(columns, shown, len(rows) - len(shown))


def _word(value: object) -> str:
    if value is None:
        return "NULL"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
