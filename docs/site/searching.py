"""An index of all pages that the search page reads, without a server."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable

Entry = dict[str, str]


def entry(address: str, title: str, page: str) -> Entry:
    """Return one page for the index: its address, title, headings and text.

    ``page`` is HTML; only the text of its main part counts.
    """
    found = re.search(r"<main>(.*)</main>", page, re.S)
    body = found[1] if found else ""
    headings = re.findall(r"<h[1-3][^>]*>(.*?)</h[1-3]>", body, re.S)
    return {
        "address": address,
        "title": title,
        "headings": _text_of(" ".join(headings)),
        "text": _text_of(body),
    }


def index(entries: Iterable[Entry]) -> str:
    """Return the index as JavaScript, since a page from a file cannot read JSON."""
    return f"const PAGES = {json.dumps(list(entries), ensure_ascii=False)};\n"


def _text_of(part: str) -> str:
    """Return the text of HTML in one line."""
    without_tags = re.sub(r"<[^>]+>", " ", part)
    return " ".join(html.unescape(without_tags).split())
