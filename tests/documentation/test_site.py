"""The site: every page is there, every link leads somewhere, nothing is fetched."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import browsers
import pytest
from browsers import CONTRAST, WIDE

pytest.importorskip("markdown_it", reason="no markdown-it-py: pip install 'tanon-duck[docs]'")

from docs import __main__ as command
from docs.site import building, examples, order, reference
from docs.site.prose import BrokenLinkError, Prose
from tanon_duck.macros import catalog

# What all examples give is asked in tests/every_function; here it is how a result is shown.
RUN = ("k_anonymity", "frequency_set", "series_pattern")
FUNCTIONS = catalog.functions()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("docs") / "site"
    pages = building.build(folder, {name: examples.given_by(name) for name in RUN})
    assert pages == len(list(folder.rglob("*.html")))
    return folder


class Page(HTMLParser):
    """The links and the names of a page, and its text."""

    def __init__(self, path):
        super().__init__()
        self.links, self.ids, self.fetched, self.text = [], set(), [], ""
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.ids.add(given.get("id"))
        if tag == "a":
            self.links.append(given["href"])
        if tag in ("script", "link", "img", "iframe", "source"):
            self.fetched.append(given.get("src") or given.get("href") or tag)

    def handle_data(self, data):
        self.text += data


@pytest.fixture(scope="module")
def pages(site):
    return {path.relative_to(site).as_posix(): Page(path) for path in site.rglob("*.html")}


def test_every_function_and_every_document_has_a_page(pages):
    assert {f"functions/{name}.html" for name in FUNCTIONS} <= set(pages)
    for source in building.sources():
        name = "index.html" if source == "README.md" else source.replace(".md", ".html")
        assert name in pages


def test_every_page_for_readers_has_a_place_in_the_order():
    folders = ("start", "guides", "howto", "understand")
    found = {
        path.relative_to(building.ROOT).as_posix()
        for folder in folders
        for path in (building.ROOT / "docs" / folder).glob("*.md")
    }
    assert found <= set(order.reading_order())
    assert len(order.reading_order()) == len(set(order.reading_order()))


def test_pages_lead_to_the_previous_and_the_next_page(pages):
    links = pages["docs/start/which-function.html"].links
    assert "first-release.html" in links and "../guides/events.html" in links
    assert "docs/start/first-release.html" in pages["index.html"].links


def test_a_list_shows_the_first_sentence_of_each_page(pages):
    text = pages["docs/start/index.html"].text
    sentence = "This page turns a CSV file about people into a file that you may give to others."
    assert "Your first release" in text and sentence in text


def test_the_search_finds_every_page(site, pages):
    text = (site / "search-index.js").read_text(encoding="utf-8")
    entries = json.loads(text.removeprefix("const PAGES = ").removesuffix(";\n"))
    assert {entry["address"] for entry in entries} == set(pages)
    (found,) = [entry for entry in entries if entry["address"] == "docs/glossary.html"]
    assert found["title"] == "Glossary" and "quasi-identifier" in found["text"]
    assert "<" not in found["headings"]


def test_the_search_page_lists_pages_with_all_words(site, tmp_path):
    browsers.skip_without()
    opened = browsers.opened(tmp_path / "profile")
    browser = next(opened)
    try:
        address = Path(site, "search.html").as_uri() + "?q=quasi-identifier+glossary"
        browsers.look(browser, address, 400, "light")
        links = browser.execute_script(
            "return [...document.querySelectorAll('#found a')].map(a => a.textContent)"
        )
        assert links[0] == "Glossary"
        assert browser.get_log("browser") == []
    finally:
        next(opened, None)


def test_every_link_leads_to_a_part_that_is_there(site, pages):
    for name, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            target = (site / name).parent / unquote(parts.path) if parts.path else site / name
            target = target.resolve()
            known = (
                target.is_file() or (building.ROOT / target.relative_to(site.resolve())).exists()
            )
            assert known, f"{name}: {link}"
            if parts.fragment and target.suffix == ".html":
                ids = pages[target.relative_to(site.resolve()).as_posix()].ids
                assert parts.fragment in ids, f"{name}: {link}"


def test_nothing_is_fetched_from_anywhere(site, pages):
    for name, page in pages.items():
        for wanted in page.fetched:
            assert wanted == "data:," or (site / name).parent.joinpath(wanted).is_file(), name


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_page_says_all_that_the_header_says(pages, name):
    header = catalog.function(name).header
    text = " ".join(pages[f"functions/{name}.html"].text.split())
    for said in (header.summary, header.example, header.returns, header.details):
        for paragraph in said.split("\n\n"):
            assert " ".join(paragraph.split()) in text
    for argument in header.arguments:
        assert " ".join(argument.meaning.split()) in text and argument.kind.words in text
    for result in (result for answer in header.answers for result in answer.columns):
        assert " ".join(result.meaning.split()) in text


def test_what_an_example_gives_is_shown(pages):
    text = pages["functions/k_anonymity.html"].text
    given = examples.given_by("k_anonymity")
    assert all(value in text for row in given.rows for value in row) and given.rows
    assert [name for name, _ in given.columns][:2] == ["gen_m", "gen_s"]


def test_all_kinds_are_explained(pages):
    page = pages["functions/arguments.html"]
    for function in FUNCTIONS.values():
        for argument in function.header.arguments:
            assert reference.anchor(argument) in page.ids
            assert argument.kind.words in page.text


def test_a_folder_that_exists_is_left_as_it_is(site, capsys):
    before = (site / "index.html").stat().st_mtime_ns
    assert command.main(["-o", str(site)]) == 1
    assert "exists already" in capsys.readouterr().err
    assert (site / "index.html").stat().st_mtime_ns == before


def test_a_link_that_leads_nowhere_is_an_error(tmp_path):
    (tmp_path / "a.md").write_text("# A\n\n[there](b.md)\n")
    with pytest.raises(BrokenLinkError, match=r"a\.md links to b\.md"):
        Prose(tmp_path, ["a.md"]).page("a.md")


def test_it_can_be_read_in_a_browser(site, tmp_path):
    browsers.skip_without()
    opened = browsers.opened(tmp_path / "profile")
    browser = next(opened)
    try:
        for name in ("index.html", "functions/k_anonymity.html", "functions/arguments.html",
                     "docs/guides/events.html", "functions/index.html", "search.html",
                     "docs/start/index.html", "docs/start/first-release.html"):  # fmt: skip
            for scheme in ("light", "dark"):
                browsers.look(browser, Path(site, name).as_uri(), 400, scheme)
                assert browser.execute_script(CONTRAST) == []
                there, seen = browser.execute_script(WIDE)
                assert there <= seen <= 400, name
        assert browser.get_log("browser") == []
    finally:
        next(opened, None)


def test_markup_in_a_header_is_text():
    shown = reference.linked("<script>tanon.k_anonymity</script>", FUNCTIONS)
    assert re.fullmatch(r"&lt;script&gt;<a [^>]*>tanon\.k_anonymity</a>&lt;/script&gt;", shown)
