"""Markdown as HTML; links between files become links between pages, and have to lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path
from posixpath import dirname, join, normpath, relpath
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup


class BrokenLinkError(Exception):
    """A link of a page leads nowhere in the checkout."""


class Prose:
    """The Markdown files of a checkout as pages of a site."""

    def __init__(self, root: Path, sources: list[str]) -> None:
        self._root = root
        self._sources = set(sources)
        # The documents are ours: their comments are to be left out, not shown.
        self._markdown = MarkdownIt("commonmark", {"html": True}).enable("table")

    def address(self, source: str) -> str:
        """Where the page of a file lies in the site."""
        return "index.html" if source == "README.md" else str(Path(source).with_suffix(".html"))

    def page(self, source: str) -> dict[str, Any]:
        """Its title, and all of it as HTML."""
        text = (self._root / source).read_text(encoding="utf-8")
        tokens = self._markdown.parse(text)
        for place, token in enumerate(tokens):
            if token.type == "heading_open":
                token.attrSet("id", slug(tokens[place + 1].content))
            for child in token.children or []:
                self._lead(child, source)
        html = self._markdown.renderer.render(tokens, self._markdown.options, {})
        # A table may be wider than a phone.
        html = html.replace("<table>", '<div class="wide" tabindex="0"><table>')
        html = html.replace("</table>", "</table></div>")
        title = re.search(r"^# (.+)$", text, re.M)
        return {
            "title": title[1] if title else source,
            "lead": _first_sentence(tokens),
            "body": Markup(html),
        }

    def _lead(self, token: Token, source: str) -> None:
        """Make a link one between pages."""
        name = "href" if token.type == "link_open" else "src" if token.type == "image" else ""
        wanted = str(token.attrs.get(name, ""))
        if not wanted or re.match(r"[a-z]+:", wanted):
            return
        path, mark, part = wanted.partition("#")
        target = normpath(join(dirname(source), path)) if path else source
        if not (self._root / target).exists():
            raise BrokenLinkError(f"{source} links to {wanted}, which is not there")
        here = dirname(self.address(source)) or "."
        token.attrSet(name, relpath(self._page_of(target), here) + mark + part)

    def _page_of(self, target: str) -> str:
        """The page of a file; of a folder what lists it; any other file where it is kept."""
        for source in (target, f"{target}/README.md"):
            if source in self._sources:
                return self.address(source)
        if target == "docs/decisions":
            return "docs/decisions/index.html"
        if (self._root / target).is_dir():
            parent = dirname(target)
            return self._page_of(parent) if parent else "index.html"
        return target


def _first_sentence(tokens: list[Token]) -> str:
    """Return the first sentence of the first paragraph, without marks; "" if none exists."""
    for place, token in enumerate(tokens):
        if token.type == "paragraph_open":
            parts = tokens[place + 1].children or []
            text = "".join(" " if p.type == "softbreak" else p.content for p in parts)
            return re.split(r"(?<=[.:]) ", text, maxsplit=1)[0].rstrip(":")
    return ""


def slug(heading: str) -> str:
    """What a heading is called in an address."""
    return re.sub(r"[^\w]+", "-", heading.lower()).strip("-")
