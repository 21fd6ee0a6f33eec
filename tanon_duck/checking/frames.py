"""Pages shown inside a notebook: a frame of their own, so that styles cannot leak."""

from __future__ import annotations

from html import escape


def framed(page: str, height: int = 640) -> str:
    """A frame that holds the page and runs nothing."""
    return (
        f'<iframe sandbox srcdoc="{escape(page)}" title="report" '
        f'style="width:100%;height:{height}px;border:1px solid #8886"></iframe>'
    )
