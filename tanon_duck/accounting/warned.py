"""Find the warnings of a release while it is made."""

from __future__ import annotations

import re
from typing import Any

from tanon_duck.accounting.call import Call
from tanon_duck.quoting import Quoted, identifier

_COUNT_RESPONDENTS = (
    "select count(distinct {respondent}) from query('from ' || tanon._relation($relation))"
)


def lines(call: Call, release: Quoted, owners: Quoted | None = None) -> list[str]:
    """Return one line for each warning that the publisher's header names.

    An example is 'singles out (zip): 12 respondents, 4.0%: ...'. The owner's copy of the release
    contains the respondents, so that no search runs twice. `owners` is None if there is no copy.
    """
    owners_copy = _copy_without_remainder(call, owners)
    values = call.values | {"tanon_release": str(release), "tanon_owner": owners_copy}
    found: dict[tuple[str, str], str] = {}
    for warning in call.function.header.warnings:
        values_used = {word: values[word] for word in re.findall(r"\$(\w+)", warning)}
        cursor = call.connection.execute(f"from tanon.{warning}", values_used)
        counted = [name for name, *_ in cursor.description or ()][2]
        for name, column, count, share, advice in cursor.fetchall():
            of_column = f" ({column})" if column else ""
            line = f"{name}{of_column}: {count} {counted}, {share or 0:.1%}: {advice}"
            found.setdefault((name, column), line)
    missing = _missing_respondents(call, owners_copy) if owners is not None else 0
    if missing:
        return [*found.values(), f"nobody left: no row of {missing} respondents is in the release"]
    return [*found.values()]


def _copy_without_remainder(call: Call, owners: Quoted | None) -> str:
    """Return the owner's copy without the rows of a remainder.

    No warning describes a remainder row.
    """
    if owners is None or not call.values.get("remainder"):
        return str(owners)
    hidden = [f"{identifier(q)} = '*'" for q in _as_list(call.values["qi"])]
    hidden += [f"{identifier(c)} is null" for c in _as_list(call.values["keep"])]
    return f"(from {owners} where ({' and '.join(hidden)}) is not true)"


def _missing_respondents(call: Call, shown: str) -> int:
    """Return how many respondents of the source have no row in the release."""
    query = _COUNT_RESPONDENTS.format(respondent=identifier(call.values["respondent"]))
    ((everybody,),) = call.connection.execute(query, {"relation": call.source_name()}).fetchall()
    ((released,),) = call.connection.execute(query, {"relation": shown}).fetchall()
    return int(everybody) - int(released)


def _as_list(value: Any) -> list[str]:
    """Return the names of columns as a list; one name can be a string."""
    return [value] if isinstance(value, str) else list(value)
