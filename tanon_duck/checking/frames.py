"""Show HTML pages inside a notebook without sharing its styles."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape


def framed(page: str, height: int = 640) -> str:
    """Return an iframe that contains the page and runs no scripts."""
    return (
        f'<iframe sandbox srcdoc="{escape(page)}" title="report" '
        f'style="width:100%;height:{height}px;border:1px solid #8886"></iframe>'
    )


def listed(rows: Sequence[tuple[str, ...]], notes: Sequence[str] = ()) -> str:
    """Return a small HTML page with a table of texts, and notes below it."""
    cells = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    paragraphs = "".join(f"<p>{escape(note)}</p>" for note in notes)
    return (
        '<!doctype html><meta charset="utf-8"><style>:root{color-scheme:light dark}'
        "body{font:14px system-ui,sans-serif}td{padding:2px 12px 2px 0;vertical-align:top}</style>"
        f"<table>{cells}</table>{paragraphs}"
    )
