"""A real browser that looks at pages, where there is one; what is asked of every page."""

import shutil

import pytest

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
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


def skip_without():
    """Leave the tests of a module out, with the reason, where no page can be looked at."""
    pytest.importorskip("selenium", reason="no selenium: pip install 'tanon-duck[browser]'")
    if not (CHROMIUM and DRIVER):
        pytest.skip(
            "no chromium: apt-get install chromium chromium-driver", allow_module_level=True
        )


def opened(profile):
    """A browser of its own for as long as a fixture lasts; it tells what it logs and asks for."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


def look(browser, address, width=1000, scheme="light"):
    """Open a page on a screen of this width, by day or by night."""
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False},
    )
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": scheme}]},
    )
    browser.get(address)
