"""What the owner should know of a release, told while it is made: a line for each warning."""

from __future__ import annotations

import re
from typing import Any

from tanon_duck.accounting.call import Call
from tanon_duck.quoting import Quoted, identifier

_ALL = "select count(distinct {respondent}) from query('from ' || tanon._relation($relation))"


def lines(call: Call, release: Quoted, owners: Quoted | None = None) -> list[str]:
    """The warnings that the header of a publisher names, found in the rows that it gave.

    The owner's copy of these rows has the respondents, so that nothing is searched again. Of the
    source only its identifiers are looked at.
    """
    values = call.values | {"tanon_release": str(release), "tanon_owner": _shown(call, owners)}
    found: dict[tuple[str, str], str] = {}
    for warning in call.function.header.warnings:
        used = {word: values[word] for word in re.findall(r"\$(\w+)", warning)}
        cursor = call.connection.execute(f"from tanon.{warning}", used)
        counted = [name for name, *_ in cursor.description or ()][2]
        for name, column, count, share, advice in cursor.fetchall():
            of_column = f" ({column})" if column else ""
            line = f"{name}{of_column}: {count} {counted}, {share or 0:.1%}: {advice}"
            found.setdefault((name, column), line)
    missing = _missing(call, _shown(call, owners)) if owners is not None else 0
    alone = [f"nobody left: no row of {missing} respondents is in the release"] if missing else []
    return [*found.values(), *alone]


def _shown(call: Call, owners: Quoted | None) -> str:
    """The owner's copy without rows of a remainder, of which nothing is told."""
    if owners is None or not call.values.get("remainder"):
        return str(owners)
    hidden = [f"{identifier(q)} = '*'" for q in _listed(call.values["qi"])]
    hidden += [f"{identifier(c)} is null" for c in _listed(call.values["keep"])]
    return f"(from {owners} where ({' and '.join(hidden)}) is not true)"


def _missing(call: Call, shown: str) -> int:
    asked = _ALL.format(respondent=identifier(call.values["respondent"]))
    ((everybody,),) = call.connection.execute(asked, {"relation": call.source_name()}).fetchall()
    ((released,),) = call.connection.execute(asked, {"relation": shown}).fetchall()
    return int(everybody) - int(released)


def _listed(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value)
