"""Macros put in where they are called, where that is shorter to read than they are to make.

For the stock shell, which makes every macro anew: most of ours serve one or two functions, whose
expressions are kept as text (``kept_as_text``). DuckDB would put them in just so at each call.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from tanon_duck import quoting
from tanon_duck.macros import marks

# By so much a letter of SQL takes longer to read than one of a literal.
DEARER = 18

_HEAD = re.compile(r"create or replace macro (tanon\._\w+\()((?:\w+(?:, )?)*)\) as\s(?!table\b)")
_CALL = re.compile(r"tanon\._\w+\(")
_VARIABLES = re.compile(r"\blambda ([\w, ]+):")
_NAMED = re.compile(r"\w+\s*:=")
_WHOLE = re.compile(r"[\w.]+|'(?:[^']|'')*'")


@dataclass(frozen=True)
class _Macro:
    called: str
    parameters: list[str]
    body: str
    variables: set[str]  # of lambdas, which nothing else may be called that comes in between

    def filled(self, given: list[str]) -> str:
        """The body with the texts of arguments in it."""
        return f"({filled(self.body, dict(zip(self.parameters, given, strict=True)))})"


def filled(body: str, given: Mapping[str, str]) -> str:
    """An expression with the texts of its arguments in it."""
    whole = {n: text if _WHOLE.fullmatch(text) else f"({text})" for n, text in given.items()}
    return marks.renamed(body, whole)


def variables(body: str) -> set[str]:
    """The variables of lambdas in an expression."""
    listed = _VARIABLES.findall(marks.bare(body))
    return {name.strip() for names in listed for name in names.split(",")}


def put_in(
    statements: list[str],
    expressions: Mapping[str, str],
    elsewhere: str,
    names: Collection[str],
    worth: int,
) -> tuple[list[str], dict[str, str]]:
    """The statements that are left, and the expressions, with the macros of the others in them.

    What is called elsewhere stays, and so does what the text of a call holds. The names are those
    of the arguments of all functions. To make a macro takes as long as to read what it is worth,
    in letters.
    """
    texts: dict[int | str, str] = dict(enumerate(statements))
    texts.update(expressions)
    stays = set(_CALL.findall(elsewhere + "".join(map(marks.literals_of, texts.values()))))
    for place in reversed(range(len(statements))):
        macro = _read(texts[place])
        if macro and macro.called not in stays and not macro.variables & set(names):
            others = [key for key, text in texts.items() if macro.called in text and key != place]
            changed = _everywhere(macro, {key: texts[key] for key in others}, worth)
            if changed is not None:
                texts = {key: changed.get(key, text) for key, text in texts.items() if key != place}
    left = [texts[place] for place in range(len(statements)) if place in texts]
    return left, {name: texts[name] for name in expressions}


def _read(statement: str) -> _Macro | None:
    """The macro that a statement makes, if all there is to it are one expression and names."""
    head = _HEAD.match(statement)
    if head is None:
        return None
    parameters = [name for name in head[2].split(", ") if name]
    body = statement[head.end() :].strip()
    own = variables(body)
    return None if own & set(parameters) else _Macro(head[1], parameters, body, own)


def _everywhere(
    macro: _Macro, texts: Mapping[int | str, str], worth: int
) -> dict[int | str, str] | None:
    """The texts that call a macro with it put in, or nothing if it cannot be or gets long."""
    changed, grown = {}, 0
    for key, text in texts.items():
        while (at := text.find(macro.called)) >= 0:
            given, end = quoting.arguments(text, at + len(macro.called))
            if len(given) != len(macro.parameters) or _is_hard(macro, given):
                return None
            put = macro.filled(given)
            # A statement is parsed and bound, an expression is but a literal.
            grown += (len(put) - (end - at)) * (DEARER if isinstance(key, int) else 1)
            text = text[:at] + put + text[end:]
            if grown > worth:
                return None
        changed[key] = text
    return changed


def _is_hard(macro: _Macro, given: Iterable[str]) -> bool:
    """Whether arguments are named, or a variable of the macro would stand for a name in one."""
    return any(map(_NAMED.match, given)) or any(
        marks.uses(text, variable) for text in given for variable in macro.variables
    )
