"""Quoting of names and values for SQL that is written here.

What a macro has to quote when it is called, it quotes by the same rules in
``sql/private/arguments.sql``.
Nothing else in the project puts quotes around a name or a value.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

_TOKEN = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|--[^\n]*")
_ANY = re.compile(_TOKEN.pattern + r"|\w+|\S")
_STRING = re.compile(r"'(?:[^']|'')*'")


class Quoted(str):
    """SQL in which nothing is left to be quoted."""

    __slots__ = ()


def identifier(name: str) -> Quoted:
    """The name as a quoted SQL identifier."""
    return Quoted('"' + name.replace('"', '""') + '"')


def literal(text: str) -> Quoted:
    """The text as a SQL string literal."""
    return Quoted("'" + text.replace("'", "''") + "'")


def literals(texts: Sequence[str]) -> Quoted:
    """The texts as a SQL list."""
    return Quoted(f"[{', '.join(map(literal, texts))}]::varchar[]")


def as_sql(value: object) -> Quoted:
    """A value of Python as SQL writes it; what is quoted stays as it is."""
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
    """What has been quoted, with commas between."""
    return Quoted(", ".join(parts))


def tokens(sql: str, at: int = 0) -> Iterator[re.Match[str]]:
    """What a statement is made of from a place on: strings, names, comments, single characters."""
    return _ANY.finditer(sql, at)


def arguments(sql: str, at: int) -> tuple[list[str], int]:
    """The texts between the commas behind an opening parenthesis, and where the call ends."""
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
    """The SQL without its ``--`` comments, strings and quoted names left alone."""
    kept = _TOKEN.sub(lambda m: "" if m[0].startswith("--") else m[0], sql)
    return "\n".join(line.rstrip() for line in kept.splitlines() if line.strip())


def is_enclosed(sql: str) -> bool:
    """Whether one pair of parentheses stands around the whole expression."""
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
    """Whether a name stands in an expression outside its strings."""
    return name in sql and re.search(rf"\b{name}\b", _STRING.sub("''", sql)) is not None
