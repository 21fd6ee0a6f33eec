"""Build all pages of the site in a new folder. If anything fails, no folder appears."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from posixpath import relpath
from typing import Any

import jinja2

from docs.site import reference, searching
from docs.site.examples import Given, given_by_examples
from docs.site.order import ALONE, MENU, SECTIONS, reading_order
from docs.site.prose import BrokenLinkError, Prose
from tanon_duck._version import __version__
from tanon_duck.macros import catalog

__all__ = ["BrokenLinkError", "build", "sources"]
ROOT = Path(__file__).parents[2]
_TEMPLATES = Path(__file__).with_name("templates")
_SCRIPTS = ("site.js", "search.js")

Page = dict[str, Any]


def build(folder: Path, examples: Mapping[str, Given] | None = None) -> int:
    """Write the site and return the number of its pages.

    ``examples`` holds the results of the examples of functions. If it is None, the examples run.
    """
    if folder.exists():
        raise FileExistsError(f"{folder} exists already, and is left as it is")
    given = given_by_examples() if examples is None else examples
    with tempfile.TemporaryDirectory(dir=folder.absolute().parent, prefix=".site-") as part:
        texts = {}
        for address, page in _pages(given):
            target = Path(part, address)
            target.parent.mkdir(parents=True, exist_ok=True)
            html = _html_of(address, page)
            target.write_text(html, encoding="utf-8")
            texts[address] = searching.entry(address, page["title"], html)
        Path(part, "search-index.js").write_text(searching.index(texts.values()), encoding="utf-8")
        for script in _SCRIPTS:
            shutil.copy(_TEMPLATES / script, part)
        shutil.copytree(ROOT / "bench/charts", Path(part, "bench/charts"))
        _copy_pictures(Path(part))
        Path(part).chmod(0o755)
        Path(part).rename(folder)
        Path(part).mkdir()  # the context removes a folder of this name
    return len(texts)


def sources() -> list[str]:
    """Return the Markdown files of the site, by their paths in the checkout."""
    found = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "integrations").rglob("*.md")]
    return [*ALONE, *sorted(path.relative_to(ROOT).as_posix() for path in found)]


def _pages(given: Mapping[str, Given]) -> Iterator[tuple[str, Page]]:
    """Yield the address of each page, and the values for its template."""
    prose = Prose(ROOT, sources())
    pages = {source: prose.page(source) for source in sources()}
    order = [(pages[source]["title"], prose.address(source)) for source in reading_order()]
    for source, page in pages.items():
        address = prose.address(source)
        yield address, {"template": "prose.html", **page, **_neighbours(order, address)}
    for section in SECTIONS:
        yield section.address, _list_page(section.title, section.lead, section.sources, pages)
    decisions = [source for source in pages if source.startswith("docs/decisions/")]
    lead = "Each page gives the reasons of one decision. You do not need them to use tanon_duck."
    yield "docs/decisions/index.html", _list_page("Decisions", lead, decisions, pages)
    functions = catalog.functions()
    for name, function in functions.items():
        page = reference.function_page(function, given.get(name), functions)
        yield f"functions/{name}.html", {"template": "function.html", **page}
    yield "functions/index.html", {"template": "functions.html", **reference.overview(functions)}
    kinds = reference.kinds(functions)
    yield "functions/arguments.html", {"template": "kinds.html", **kinds}
    yield "search.html", {"template": "search.html", "title": "Search"}


def _list_page(title: str, lead: str, listed: list[str], pages: Mapping[str, Page]) -> Page:
    """Return a page that lists others, each with its first sentence.

    All listed pages and the list itself lie two folders deep, for example docs/guides/index.html.
    """
    links = [
        (pages[source]["title"], relpath(Path(source).with_suffix(".html"), "docs/any"),
         pages[source]["lead"])
        for source in listed
    ]  # fmt: skip
    return {"template": "list.html", "title": title, "lead": lead, "links": links}


def _neighbours(order: list[tuple[str, str]], address: str) -> dict[str, tuple[str, str] | None]:
    """Return the previous and the next page of a page: title and address, or None."""
    addresses = [target for _, target in order]
    if address not in addresses:
        return {"previous": None, "next": None}
    place = addresses.index(address)
    return {
        "previous": order[place - 1] if place else None,
        "next": order[place + 1] if place + 1 < len(order) else None,
    }


def _html_of(address: str, page: Page) -> str:
    """Return a page as HTML. Addresses become relative to the folder of the page."""
    here = str(Path(address).parent)
    for name in ("previous", "next"):
        if found := page.get(name):
            page[name] = (found[0], relpath(found[1], here))
    menu = [(title, relpath(target, here), target == address) for title, target in MENU.items()]
    top = {name: relpath(name, here) for name in ("search.html", *_SCRIPTS, "search-index.js")}
    template = _ENVIRONMENT.get_template(page["template"])
    values = {"previous": None, "next": None, **page}
    return template.render(**values, menu=menu, top=top, version=__version__)


def _copy_pictures(folder: Path) -> None:
    """Copy the pictures of the pages to the same places as in the checkout."""
    for pattern in ("*.png", "*.svg"):
        for picture in (ROOT / "docs").rglob(pattern):
            target = folder / picture.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(picture, target)


_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.FileSystemLoader(_TEMPLATES),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
