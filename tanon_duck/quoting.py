"""Quote names and values for SQL, and split SQL into tokens and arguments.

Python code quotes only here. Macros quote by the same rules in ``sql/private/arguments.sql``.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

_TOKEN = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|--[^\n]*")
_ANY = re.compile(_TOKEN.pattern + r"|\w+|\S")
_STRING = re.compile(r"'(?:[^']|'')*'")


class Quoted(str):
    """SQL text whose names and values are quoted."""

    __slots__ = ()


def identifier(name: str) -> Quoted:
    """Quote a name: ``zip`` becomes ``"zip"``."""
    return Quoted('"' + name.replace('"', '""') + '"')


def literal(text: str) -> Quoted:
    """Quote a text: ``flu`` becomes ``'flu'``."""
    return Quoted("'" + text.replace("'", "''") + "'")


def literals(texts: Sequence[str]) -> Quoted:
    """Return the texts as a SQL list: ``['zip', 'sex']::varchar[]``."""
    return Quoted(f"[{', '.join(map(literal, texts))}]::varchar[]")


def as_sql(value: object) -> Quoted:
    """Return a Python value as SQL; ``Quoted`` stays unchanged."""
    match value:
        case Quoted():
            return value
        case str():
            return literal(value)
        case list() | tuple():
            return Quoted(f"[{', '.join(map(as_sql, value))}]")
        case dict():
            pairs = (f"{as_sql(key)}: {as_sql(each)}" for key, each in value.items())
            return Quoted("{" + ", ".join(pairs) + "}")
        case None:
            return Quoted("NULL")
        case bool():
            return Quoted(str(value).lower())
    return Quoted(str(value))


def joined(parts: Iterable[Quoted]) -> Quoted:
    """Join quoted texts with commas."""
    return Quoted(", ".join(parts))


def tokens(sql: str, at: int = 0) -> Iterator[re.Match[str]]:
    """Yield the tokens of SQL from a position on: strings, names, comments, characters."""
    return _ANY.finditer(sql, at)


def arguments(sql: str, at: int) -> tuple[list[str], int]:
    """Split the arguments of a call; ``at`` is the position after its opening parenthesis.

    Return the texts of the arguments, and the position after the closing parenthesis.
    """
    texts, depth, begun = [], 0, at
    for token in tokens(sql, at):
        if token[0] in "([{":
            depth += 1
        elif token[0] in ")]}" and depth:
            depth -= 1
        elif token[0] in ",)]}" and not depth:
            texts.append(sql[begun : token.start()].strip())
            begun = token.end()
            if token[0] != ",":
                return [text for text in texts if text], begun
    return [text for text in texts if text], len(sql)


def without_comments(sql: str) -> str:
    """Remove ``--`` comments and empty lines; keep ``--`` inside strings and names."""
    kept = _TOKEN.sub(lambda m: "" if m[0].startswith("--") else m[0], sql)
    return "\n".join(line.rstrip() for line in kept.splitlines() if line.strip())


def is_enclosed(sql: str) -> bool:
    """Return whether one pair of parentheses encloses the complete expression."""
    depth = 0
    for token in tokens(sql):
        depth += {"(": 1, ")": -1}.get(token[0], 0)
        if not depth:
            return token[0] == ")" and token.end() == len(sql)
    return False


def renamed(sql: str, names: Mapping[str, str]) -> str:
    """Return the expression with other names for columns; functions and strings stay."""
    changed = {old: new for old, new in names.items() if old != new}
    if not any(old in sql for old in changed):
        return sql
    words = re.compile(rf"{_STRING.pattern}|(?<![\w.\"])(?:{'|'.join(changed)})\b(?!\s*(?:\(|:=))")
    return words.sub(lambda found: changed.get(found[0], found[0]), sql)


def uses(sql: str, name: str) -> bool:
    """Return whether an expression contains a name outside of its strings."""
    return name in sql and re.search(rf"\b{name}\b", _STRING.sub("''", sql)) is not None
