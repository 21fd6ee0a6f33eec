"""Reports in a real browser: nothing fetched, nothing cut off, readable light, dark, printed."""

import base64
import shutil
from urllib.parse import quote

import pytest
from reporting.kinds import ARGUMENTS, made

import tanon_duck
from tanon_duck import demo

selenium = pytest.importorskip("selenium", reason="no selenium: pip install 'tanon-duck[browser]'")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
if not (CHROMIUM and DRIVER):
    pytest.skip("no chromium: apt-get install chromium chromium-driver", allow_module_level=True)

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
# What a reader with weak eyes needs (WCAG 2, AA): the contrast of each text with what is behind it.
CONTRAST = """
const part = v => v <= 10 ? v / 255 / 12.92 : ((v / 255 + .055) / 1.055) ** 2.4;
const light = c => { const f = c.map(part);
    return .2126 * f[0] + .7152 * f[1] + .0722 * f[2]; };
const rgb = s => s.match(/[\\d.]+/g).map(Number);
const behind = e => { for (; e; e = e.parentElement) {
    const c = rgb(getComputedStyle(e).backgroundColor);
    if (c.length < 4 || c[3] > 0) return c.slice(0, 3); } return [255, 255, 255]; };
const bad = [];
for (const e of document.querySelectorAll('main *')) {
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) continue;
    const style = getComputedStyle(e), svg = e instanceof SVGElement;
    if (e.localName === 'style') continue;
    const a = light(rgb(svg ? style.fill : style.color).slice(0, 3)), b = light(behind(e));
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) bad.push([e.localName, e.textContent.slice(0, 40), ratio]);
}
return bad;
"""
WIDE = "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]"


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
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


def show(browser, path, width=1000, scheme="light"):
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False},
    )
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": scheme}]},
    )
    browser.get(f"file://{quote(str(path))}")


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
    show(browser, pages["k_anonymous", "owner"], scheme="dark")
    made = browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})
    paper = base64.b64decode(made["data"])
    assert paper.startswith(b"%PDF") and 2 <= paper.count(b"/Type /Page\n") <= 9
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    assert browser.execute_script("return getComputedStyle(document.body).backgroundColor") in (
        "rgb(255, 255, 255)", "rgba(0, 0, 0, 0)",
    )  # fmt: skip
