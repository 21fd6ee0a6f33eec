"""Reports in a real browser: nothing fetched, nothing cut off, readable light, dark, printed."""

import base64
from urllib.parse import quote

import browsers
import pytest
from browsers import CONTRAST, WIDE
from reporting.kinds import ARGUMENTS, made

import tanon_duck
from tanon_duck import demo

browsers.skip_without()


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pages")
    with tanon_duck.connect() as con:
        demo.create_tables(con)
        return {
            (kind, who): made(con, kind, who).save(folder / f"{kind}_{who}.html")
            for kind in ARGUMENTS
            for who in ("owner", "public")
        }


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    yield from browsers.opened(tmp_path_factory.mktemp("profile"))


def show(browser, path, width=1000, scheme="light"):
    browsers.look(browser, f"file://{quote(str(path))}", width, scheme)


def test_no_error_and_no_request_to_anybody(browser, pages):
    for path in pages.values():
        browser.get_log("browser"), browser.get_log("performance")
        show(browser, path)
        assert browser.get_log("browser") == []
        asked = [e["message"] for e in browser.get_log("performance") if "requestWillBeSent" in
                 e["message"] and '"url":"http' in e["message"]]  # fmt: skip
        assert asked == []
        assert browser.execute_script("return document.scripts.length") == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_can_be_read(browser, pages, scheme):
    for path in pages.values():
        show(browser, path, scheme=scheme)
        assert browser.execute_script(CONTRAST) == []
    page = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert (page == "rgb(255, 255, 255)") == (scheme == "light")


def test_the_contrast_check_finds_pale_text(browser, pages):
    show(browser, pages["itemsets", "owner"])
    browser.execute_script("document.querySelector('h1').style.color = '#bbb'")
    assert [row[0] for row in browser.execute_script(CONTRAST)] == ["h1"]


def test_nothing_is_cut_off_on_a_phone(browser, pages):
    for path in pages.values():
        show(browser, path, width=400)
        there, seen = browser.execute_script(WIDE)
        assert there <= seen <= 400, path.name
    browser.execute_script("document.body.style.minWidth = '498px'")
    assert browser.execute_script(WIDE)[0] > 400  # the control


def test_every_picture_has_its_table_and_its_sentence(browser, pages):
    for (_, who), path in pages.items():
        show(browser, path)
        found = browser.execute_script(
            "return [...document.querySelectorAll('figure')].map(f => [!!f.querySelector("
            "'svg[role=img][aria-label]'), !!f.closest('section').querySelector('table')])"
        )
        assert all(all(pair) for pair in found) and (found or who == "public")


def test_it_prints_on_paper(browser, pages):
    show(browser, pages["events", "owner"], scheme="dark")
    made = browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})
    paper = base64.b64decode(made["data"])
    assert paper.startswith(b"%PDF") and 2 <= paper.count(b"/Type /Page\n") <= 9
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert browser.execute_script("return getComputedStyle(document.body).backgroundColor") in (
        "rgb(255, 255, 255)", "rgba(0, 0, 0, 0)",
    )  # fmt: skip
