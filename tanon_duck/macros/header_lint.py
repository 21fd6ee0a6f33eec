"""Check the header of a public function against its name and other functions."""

from collections.abc import Iterator, Mapping

from tanon_duck.macros.header import AUDIENCES, Header
from tanon_duck.macros.kinds.strings import Choice

# The columns of a check that a release must pass, one row for each promise.
_OF_CHECK = {"property", "promise", "found", "holds"}


def mistakes(name: str, headers: Mapping[str, Header]) -> Iterator[str]:
    """Yield messages for mistakes in a header: the section, the rule, and what to write."""
    header = headers[name]
    if any(bool(answer.columns) == bool(header.returns) for answer in header.answers):
        yield "Result: must list the columns of a table, or Returns: the type of an expression"
    if not all(answer.audience for answer in header.answers):
        yield f"For: must be one of {', '.join(AUDIENCES)}: who may see the result"
    asked = header.argument("result")
    values = asked.kind.choices if asked and isinstance(asked.kind, Choice) else ()
    if len(header.answers) > 1 and sorted(values) != sorted(a.name for a in header.answers):
        yield "Result: must describe each value of the argument result, as 'Result summary:'"
    if f"tanon.{name}(" not in header.example:
        yield f"Example: must call tanon.{name}"
    yield from _of_checks(name, header)
    yield from _of_promises(header, headers)


def _of_checks(name: str, header: Header) -> Iterator[str]:
    holds, columns = header.holds, header.answer().added_columns()
    if holds is None:
        if name.endswith("_violations"):
            yield "Holds: must say when the check holds, as 'no rows, frequency >= k'"
        return
    for column in filter(None, [holds.column, holds.figure]):
        if column not in columns:
            yield f"Holds: {column} must be a column of Result: {', '.join(columns)}"
    for bound in filter(None, [holds.bound, *header.held_to()]):
        if header.argument(bound) is None:
            yield f"Holds: {bound} must be an argument"


def _of_promises(header: Header, headers: Mapping[str, Header]) -> Iterator[str]:
    if any(a.audience == "others" for a in header.answers) != bool(header.promises):
        yield "Promises: must be the call of a check if the result is for others, and only then"
    checks = [f for f, h in headers.items() if {*h.answer().added_columns()} >= _OF_CHECK]
    check = header.promises.partition("(")[0]
    if check and check not in checks:
        columns = ", ".join(sorted(_OF_CHECK))
        yield f"Promises: {check} must be a function whose Result has {columns}"
