"""Translate the SQL example of a function into a command line."""

from __future__ import annotations

import ast
import re
import shlex
from dataclasses import dataclass

from tanon_duck.interfaces.files.options import option
from tanon_duck.macros.catalog import Function
from tanon_duck.macros.header import Argument

_TOKEN = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|:=|[\[\](){},]|[^'\"\[\](){},:]+|:")
_OPENING, _CLOSING = "[({", "])}"
_WIDTH = 72


@dataclass(frozen=True)
class Call:
    """A call in an example: what stands before it, and the SQL text of each argument."""

    before: str
    values: dict[str, str]


def example_call(function: Function) -> Call | None:
    """The first call of the function in its own example."""
    example = function.header.example
    found = re.search(rf"\btanon\.{function.name}\s*\(", example)
    if found is None:
        return None
    before = re.sub(r"(?i)\bfrom\s*\(?\s*$", "", example[: found.start()])
    names = [argument.name for argument in function.header.arguments]
    values = {}
    for place, text in enumerate(_arguments(example[found.end() :])):
        name, named, value = text.partition(":=")
        if named and name.strip() in names:
            values[name.strip()] = value.strip()
        elif text.strip():
            values[names[place]] = text.strip()
    return Call(before.strip(), values)


def _arguments(text: str) -> list[str]:
    """The texts between the commas of a call, up to its closing parenthesis."""
    arguments, depth = [""], 0
    for token in _TOKEN.findall(text):
        if token in _CLOSING and depth == 0:
            break
        depth += (token in _OPENING) - (token in _CLOSING)
        if token == "," and depth == 0:
            arguments.append("")
        else:
            arguments[-1] += token
    return arguments


def example_words(function: Function) -> list[str]:
    """The words of a command line that does what the example does."""
    call = example_call(function)
    values = call.values if call else {}
    words = ["tanon-duck", function.name]
    inputs: list[str] = []
    options: list[str] = []
    for argument in function.header.arguments:
        if argument.name not in values or values[argument.name].lower() == "null":
            continue
        value = values[argument.name]
        if argument.kind.name == "relation":
            file = f"{relation_name(argument, value)}.parquet"
            is_input = argument == main_relation(function)
            (inputs if is_input else options).extend(
                [file] if is_input else [option(argument), file]
            )
        else:
            options += _option_words(function, argument, value)
    if main_relation(function) is None and column_arguments(function):
        inputs = ["data.parquet"]
    return [*words, *inputs, *options]


def example_line(function: Function, typed: str = "") -> str:
    """The same as it is typed in a shell: a backslash ends each line that goes on.

    ``typed`` is the command before the words, if that is not the name of the function.
    """
    parts: list[str] = []  # an option stays with what it is given
    command = typed.split() or [function.name]
    written = "out.html" if command[0] == "report" else "out.parquet"
    for word in ["tanon-duck", *command, *example_words(function)[2:], "-o", written]:
        if word.startswith("-") or not parts:
            parts.append(shlex.quote(word))
        else:
            parts[-1] += f" {shlex.quote(word)}"
    return " \\\n".join(filled(parts))


def filled(parts: list[str]) -> list[str]:
    """The parts in as few lines as can hold them, none of them broken."""
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + len(part) < _WIDTH:
            lines[-1] += f" {part}"
        else:
            lines.append(f"    {part}")
    return lines


def relation_name(argument: Argument, value: str) -> str:
    """What a file with this relation would be called."""
    plain = re.fullmatch(r"'(\w+)'", value)
    return plain[1] if plain else argument.name


def main_relation(function: Function) -> Argument | None:
    """The relation that the INPUT files are: the first one that cannot be left out."""
    return next((a for a in function.header.relations() if not a.is_optional), None)


def column_arguments(function: Function) -> list[Argument]:
    """What a scalar function is given row by row: columns of the INPUT files."""
    if not function.is_scalar:
        return []
    return [a for a in function.header.arguments if a.kind.is_read_by_row]


def _option_words(function: Function, argument: Argument, value: str) -> list[str]:
    if argument in column_arguments(function):
        is_name = re.fullmatch(r"[a-z_]\w*", value) is not None
        return [option(argument), value if is_name else argument.name]
    if argument.kind.is_switch:
        yes = value.lower() == "true"
        return [option(argument) if yes else option(argument).replace("--", "--no-", 1)]
    if argument.kind.is_listed:
        listed = _python_value(value)
        if isinstance(listed, dict):
            listed = [f"{name}={text}" for name, text in listed.items()]
        values = listed if isinstance(listed, list) else [listed]
        typed = argument.kind.as_typed([str(item) for item in values])
        return [word for text in typed for word in (option(argument), text)]
    return [option(argument), _unquoted(value) if value.startswith("'") else value]


def _python_value(sql: str) -> object:
    """A list, a text or a number of SQL, which Python spells alike but for doubled quotes."""
    return ast.literal_eval(re.sub(r"'(?:[^']|'')*'", lambda m: repr(_unquoted(m[0])), sql))


def _unquoted(quoted: str) -> str:
    return quoted[1:-1].replace("''", "'")
