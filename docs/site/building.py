"""All pages of the site, written to a new folder, whole or not at all."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from posixpath import relpath
from typing import Any

import jinja2

from docs.site import reference
from docs.site.examples import Given, given_by_examples
from docs.site.prose import BrokenLinkError, Prose
from tanon_duck._version import __version__
from tanon_duck.macros import catalog

__all__ = ["BrokenLinkError", "build"]
ROOT = Path(__file__).parents[2]
GUIDES = ("events", "stream", "series", "itemsets", "roles", "gate", "reports", "doors")
_ALONE = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "bench/RESULTS.md")
_MENU = {
    "Start": "index.html",
    "Guides": "docs/guides/index.html",
    "Functions": "functions/index.html",
    "Arguments": "functions/arguments.html",
    "Architecture": "docs/architecture.html",
    "Decisions": "docs/decisions/index.html",
    "Changes": "CHANGELOG.html",
}


def build(folder: Path, examples: Mapping[str, Given] | None = None) -> int:
    """Write the site, and tell how many pages it has; examples that are not given are run."""
    if folder.exists():
        raise FileExistsError(f"{folder} exists already, and is left as it is")
    given = given_by_examples() if examples is None else examples
    with tempfile.TemporaryDirectory(dir=folder.absolute().parent, prefix=".site-") as part:
        pages = 0
        for name, page in _pages(given):
            target = Path(part, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(_written(name, page), encoding="utf-8")
            pages += 1
        shutil.copytree(ROOT / "bench/charts", Path(part, "bench/charts"))
        _copy_pictures(Path(part))
        Path(part).chmod(0o755)
        Path(part).rename(folder)
        Path(part).mkdir()  # for the context to take away
    return pages


def sources() -> list[str]:
    """The Markdown files of the site, by their paths in the checkout."""
    found = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "integrations").rglob("*.md")]
    return [*_ALONE, *sorted(path.relative_to(ROOT).as_posix() for path in found)]


def _pages(given: Mapping[str, Given]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each page by its path, with what its template shows."""
    prose = Prose(ROOT, sources())
    titles = {}
    for source in sources():
        page = prose.page(source)
        titles[source] = page["title"]
        yield prose.address(source), {"template": "prose.html", **page}
    for room, title in (("guides", "Guides"), ("decisions", "Decisions")):
        listed = [source for source in titles if source.startswith(f"docs/{room}/")]
        if room == "guides":
            listed = [f"docs/guides/{name}.md" for name in GUIDES]
        links = [(titles[source], f"{Path(source).stem}.html") for source in listed]
        yield f"docs/{room}/index.html", {"template": "list.html", "title": title, "links": links}
    functions = catalog.functions()
    for name, function in functions.items():
        page = reference.function_page(function, given.get(name), functions)
        yield f"functions/{name}.html", {"template": "function.html", **page}
    yield "functions/index.html", {"template": "functions.html", **reference.overview(functions)}
    kinds = reference.kinds(functions)
    yield "functions/arguments.html", {"template": "kinds.html", **kinds}


def _written(name: str, page: dict[str, Any]) -> str:
    here = str(Path(name).parent)
    menu = [(title, relpath(target, here), target == name) for title, target in _MENU.items()]
    template = _ENVIRONMENT.get_template(page["template"])
    return template.render(**page, menu=menu, version=__version__)


def _copy_pictures(folder: Path) -> None:
    """What pages show lies beside them, as in the checkout."""
    for picture in (ROOT / "docs").rglob("*.png"):
        target = folder / picture.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(picture, target)


_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
