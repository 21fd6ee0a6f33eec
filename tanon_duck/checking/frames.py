"""Pages shown inside a notebook: a frame of their own, so that styles cannot leak."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


def framed(page: str, height: int = 640) -> str:
    """A frame that holds the page and runs nothing."""
    return (
        f'<iframe sandbox srcdoc="{escape(page)}" title="report" '
        f'style="width:100%;height:{height}px;border:1px solid #8886"></iframe>'
    )


def listed(rows: Sequence[tuple[str, ...]], notes: Sequence[str] = ()) -> str:
    """A page of rows of words, in the colours of the reader."""
    cells = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    said = "".join(f"<p>{escape(note)}</p>" for note in notes)
    return (
        '<!doctype html><meta charset="utf-8"><style>:root{color-scheme:light dark}'
        "body{font:14px system-ui,sans-serif}td{padding:2px 12px 2px 0;vertical-align:top}</style>"
        f"<table>{cells}</table>{said}"
    )
