"""The help of one function as a page for a terminal."""

from __future__ import annotations

import re

from tanon_duck.doors.prompt.names import Function

_LABELLED = re.compile(r"(Topic|Signature|Python|Argument|Result): (.*)")


def help_page(function: Function) -> str:
    """The comment of the function, its labelled lines set as aligned lists."""
    labelled: dict[str, list[str]] = {}
    prose = []
    for line in function.comment.strip().splitlines():
        if found := _LABELLED.fullmatch(line):
            labelled.setdefault(found[1], []).append(found[2])
        else:
            prose.append(line)
    signature = labelled.get("Signature", [function.signature])[0]
    summary, details = prose[:1], "\n".join(prose[1:]).strip()
    parts = [signature, *summary]
    parts += [
        _list(title, labelled[title]) for title in ("Argument", "Result") if title in labelled
    ]
    if details:
        parts.append(details)
    return "\n\n".join(parts)


def _list(title: str, rows: list[str]) -> str:
    cells = [[cell.strip() for cell in row.split(" | ", 2)] for row in rows]
    columns = max(map(len, cells))
    widths = [max(len(row[i]) for row in cells if i < len(row)) for i in range(columns)]
    lines = (
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False)).rstrip()
        for row in cells
    )
    return "\n".join([f"{title}s:" if title == "Argument" else f"{title}:", *lines])
