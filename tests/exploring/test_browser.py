"""The page in a real browser: the same figures as SQL, whatever is moved, by keys, on a phone."""

import json
import shlex
import subprocess
import threading
import time
from itertools import product

import browsers
import duckdb
import pytest
from browsers import CONTRAST, WIDE
from waiting import LONGEST

import tanon_duck
from tanon_duck import cli, demo
from tanon_duck.exploring import ExploredTable, ExplorerServer
from tanon_duck.exploring.table import Names

browsers.skip_without()
# Names that are markup, and would break quotes of every language that the page writes.
WHO = "who<script>document.title='broken'</script>"
SEX = "sex' \"&amp; <b onclick=x>,\\"
TABLE = "visits <img src=x onerror=document.title='broken'>"
TABLES = f"""
create table "{TABLE}" as
    select patient as "{WHO}", case sex when 'f' then '<script>f</script>' else sex end
        as "{SEX.replace('"', '""')}", admitted as "when", diagnosis, zip,
        list_transform(range(4), lambda i: (i + 1) * age + length(patient))::double[] as readings
    from visits
"""
HIERARCHIES = f"""
copy (
    select distinct 'ZIP' as attribute, l as level, zip as value,
        zip[:3 - l] || '<b>' || repeat('*', l::bigint) as generalized
    from visits, range(1, 4) as r(l)
    union all
    select '{SEX.replace("'", "''")}', 1, unnest(['<script>f</script>', 'm']), '*'
) to '{{}}'
"""
OFFER = ["week", "business_day", "2 weeks", "month", "quarter"]
# Settings as they are moved to: k, and the share of rows in thousandths.
SETTINGS = [(5, 0), (2, 0), (5, 290), (15, 100), (100, 0)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("taken")


@pytest.fixture(scope="module")
def con(folder):
    with tanon_duck.connect() as connection:
        demo.create_tables(connection)
        connection.execute(TABLES)
        source = '"' + TABLE.replace('"', '""') + '"'
        connection.execute(f"copy {source} to '{folder}/its visits.parquet'")
        connection.execute(HIERARCHIES.format(f"{folder}/its levels.parquet"))
        yield connection


@pytest.fixture(scope="module")
def server(con, folder):
    file = f"{folder}/its visits.parquet"
    head = f'[relation."visits"]\nfile = {json.dumps(file)}'
    con.execute(f"create temp view source as from read_parquet('{file}')")
    levels = f"{folder}/its levels.parquet"
    con.execute(f"create temp view levels as from read_parquet('{levels}')")
    names = Names(TABLE, file, head, shlex.quote(file), levels, shlex.quote(levels))
    made = ExplorerServer(ExploredTable(con, "source", names, "levels"))
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield made
    made.shutdown()
    made.server_close()
    thread.join()


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    yield from browsers.opened(tmp_path_factory.mktemp("profile"))


@pytest.fixture(scope="module")
def page(browser, server):
    """The page with roles chosen and groups counted, from which each test goes on."""
    browsers.look(browser, server.url)
    wait(browser, "return document.body.dataset.ready === 'yes'")
    choose(browser, WHO, "respondent")
    choose(browser, SEX, "quasi-identifier")
    choose(browser, "when", "time")
    choose(browser, "diagnosis", "keep")
    move(browser, "offer", ", ".join(OFFER))
    count(browser)
    return browser


def count(browser):
    browser.execute_script("document.getElementById('count').click()")
    counted(browser)


def counted(browser):
    """The groups of what is chosen are there, and drawn."""
    wait(browser, "return document.getElementById('stop').hidden && "
         "document.getElementById('state').textContent.includes(' rows of ')")  # fmt: skip


def wait(browser, script, seconds=LONGEST):
    end = time.monotonic() + seconds
    while not browser.execute_script(script):
        told = browser.execute_script("return document.getElementById('problem').textContent")
        assert time.monotonic() < end and not told, told or script
        time.sleep(0.05)


def choose(browser, column, role):
    browser.execute_script(
        "const s = document.querySelector(`[aria-label='${CSS.escape('Role of ' + arguments[0])}']`"
        "); s.value = arguments[1]; s.dispatchEvent(new Event('change'));", column, role
    )  # fmt: skip


def move(browser, name, value):
    browser.execute_script(
        "const e = document.getElementById(arguments[0]); e.value = arguments[1];"
        "e.dispatchEvent(new Event('input'));", name, value
    )  # fmt: skip


def shown(browser):
    """What the table of granularities says: exact values, not the words that are read."""
    return [
        (r["name"], *(None if v is None else json.loads(v) for v in r["values"]), r["finest"])
        for r in browser.execute_script(
            "return [...document.querySelectorAll('#granularities tbody tr')].map(r => ({"
            "name: r.dataset.granularity, finest: r.dataset.finest === 'true', values: "
            "[...r.querySelectorAll('td')].map(c => c.dataset.value ?? null)}))"
        )
    ]


def said_by_sql(con, k, permille, source="source", qi=(SEX,)):
    """The metrics of each granularity, and whether the publisher takes it."""
    asked = (
        f"($source, respondent := $who, qi := $qi, ts := 'when', granularities := {OFFER}, k := "
        f"{k}, "
        f"max_suppression := {permille / 1000}"
    )
    given = {"who": WHO, "qi": list(qi), "source": source}
    try:
        ((taken,),) = con.execute(
            f"select granularity from tanon.publish_events{asked}, result := 'summary')", given
        ).fetchall()
    except duckdb.InvalidInputException as error:
        assert "got none for" in str(error)
        taken = None
    return con.execute(
        "select granularity, acceptable, gen_m, gen_s, groups, suppressed_tuples, "
        "suppressed_share, granularity is not distinct from $taken "
        f"from tanon.granularity_metrics{asked})",
        given | {"taken": taken},
    ).fetchall()


@pytest.mark.parametrize(("k", "permille"), SETTINGS)
def test_figures_are_those_of_granularity_metrics(page, con, k, permille):
    move(page, "k", k)
    move(page, "permille", permille)
    assert shown(page) == said_by_sql(con, k, permille)


def test_names_and_values_are_text(page):
    assert page.execute_script("return document.title") == f"Explore {TABLE}"
    assert page.execute_script("return document.getElementById('title').textContent") == TABLE
    assert page.execute_script("return [...document.scripts].map(s => s.getAttribute('src'))") == [
        "main.js"
    ]
    assert page.execute_script("return document.querySelectorAll('main img, main b').length") == 0


def test_what_is_taken_away_runs_and_gives_what_was_shown(page, con, folder, monkeypatch):
    monkeypatch.chdir(folder)
    move(page, "k", 5)
    move(page, "permille", 290)
    taken = page.execute_script(
        "return Object.fromEntries([...document.querySelectorAll('#taken [data-taken]')]"
        ".map(e => [e.dataset.taken, e.textContent]))"
    )
    kept = sum(1 for _ in con.execute(taken["The release in SQL"]).fetchall())
    finest = next(row for row in said_by_sql(con, 5, 290) if row[-1])
    assert kept == 450 - finest[5] > 0
    (head, policy) = taken["A policy for tanon-duck check"].split("\n\n", 1)
    report = tanon_duck.check(con, f"{head}\n\n{policy}")
    assert [result.holds for result in report.results] == [True]
    stricter = policy.replace("allow = ", "allow = 0 #")
    assert [r.holds for r in tanon_duck.check(con, f"{head}\n\n{stricter}").results] == [False]
    assert cli.main([*words_of_bash(taken["The release on the command line"]), "--quiet"]) == 0
    written = con.execute(f"select count(*) from '{folder}/release.parquet'").fetchone()
    assert written == (kept,)


@pytest.mark.parametrize(("k", "permille"), SETTINGS)
def test_a_setting_that_is_not_allowed_has_no_policy(page, k, permille):
    move(page, "k", k)
    move(page, "permille", permille)
    seen = []
    for place, (_, is_allowed, *_) in enumerate(shown(page)):
        move(page, "granularity", place)
        found = taken(page)
        assert "The release in SQL" in found
        assert ("A policy for tanon-duck check" in found) == is_allowed
        seen.append(is_allowed)
    page.execute_script(
        "const f = document.getElementById('follow'); f.checked = true;"
        "f.dispatchEvent(new Event('input'))"
    )
    assert False in seen
    assert (True in seen) == (k < 100)


def words_of_bash(line):
    """What a shell makes of a line, behind the name of the command."""
    assert line.startswith("tanon-duck ")
    said = line.replace("tanon-duck", "printf '%s\\0'", 1)
    ran = subprocess.run(["bash", "-c", said], capture_output=True, text=True, check=True)
    return ran.stdout.split("\0")[:-1]


def test_two_settings_are_compared(page):
    move(page, "k", 5)
    move(page, "permille", 0)
    page.execute_script("document.getElementById('hold').click()")
    move(page, "k", 20)
    rows = page.execute_script(
        "return [...document.querySelectorAll('#compared tbody tr')].map(r => "
        "[...r.children].map(c => c.textContent))"
    )
    assert rows[0] == ["k", "5", "20"]
    held, now = {r[0]: r[1] for r in rows}, {r[0]: r[2] for r in rows}
    assert held["Granularity"] != now["Granularity"]
    page.execute_script("document.getElementById('release').click()")
    assert page.execute_script("return document.querySelector('#compared td').textContent") == "–"


def taken(page):
    return page.execute_script(
        "return Object.fromEntries([...document.querySelectorAll('#taken [data-taken]')]"
        ".map(e => [e.dataset.taken, e.textContent]))"
    )


def level(page, column, value):
    """Move the level of a column, and wait until its groups are counted."""
    page.execute_script(
        "const e = [...document.querySelectorAll('#levels input')].find(i => "
        "i.dataset.column === arguments[0]); e.value = arguments[1];"
        "e.dispatchEvent(new Event('input')); document.getElementById('state').textContent = ''",
        column, value,
    )  # fmt: skip
    counted(page)


def generalized(zips, sexes):
    """The table on these levels, as somebody would write it by hand."""
    sex = f'"{SEX.replace(chr(34), chr(34) * 2)}"'
    replaced = [f"zip[:{3 - zips}] || '<b>' || repeat('*', {zips}) as zip"] if zips else []
    replaced += [f"'*' as {sex}"] if sexes else []
    return f"(select * replace ({', '.join(replaced)}) from source)"


@pytest.fixture
def with_zip(page):
    """The page with a second quasi-identifier, and as it was afterwards."""
    move(page, "k", 5)
    move(page, "permille", 290)
    page.execute_script("document.getElementById('hold').click()")
    choose(page, "zip", "quasi-identifier")
    count(page)
    yield page
    for column in ("zip", SEX):
        level(page, column, 0)
    choose(page, "zip", "")
    choose(page, "when", "time")
    choose(page, "diagnosis", "keep")
    count(page)
    page.execute_script("document.getElementById('release').click()")


def runs(page, con, kept):
    """What is taken away gives as many rows as the page says, and the policy holds."""
    found = taken(page)
    assert len(con.execute(found["The release in SQL"]).fetchall()) == kept
    words = words_of_bash(found["The release on the command line"])
    assert cli.main([*words, "--quiet", "--force"]) == 0
    assert con.execute("select count(*) from 'release.parquet'").fetchall() == [(kept,)]
    results = tanon_duck.check(con, found["A policy for tanon-duck check"]).results
    assert [result.holds for result in results] == [True]


def test_levels_are_counted_as_they_are_moved(with_zip, con, folder, monkeypatch):
    monkeypatch.chdir(folder)
    page, qi = with_zip, [SEX, "zip"]
    assert shown(page) == said_by_sql(con, 5, 290, "source", qi)
    for zips, sexes in [(1, 0), (2, 1), (3, 1)]:
        level(page, "zip", zips)
        level(page, SEX, sexes)
        assert shown(page) == said_by_sql(con, 5, 290, generalized(zips, sexes), qi)
    level(page, SEX, 0)
    finest = next(row for row in shown(page) if row[-1])
    assert finest == next(row for row in said_by_sql(con, 5, 290, generalized(3, 0), qi) if row[-1])
    runs(page, con, 450 - finest[5])
    # What was held is of another count.
    rows = page.execute_script(
        "return [...document.querySelectorAll('#compared tbody tr')].map(r => "
        "[...r.children].map(c => c.textContent))"
    )
    assert rows[2] == ["Quasi-identifiers", SEX, f"{SEX}, zip"]
    assert rows[3] == ["Levels", "–", "zip 3"]


def test_a_table_without_a_time(with_zip, con, folder, monkeypatch):
    monkeypatch.chdir(folder)
    page = with_zip
    choose(page, "when", "")
    count(page)
    for zips in (0, 2):
        level(page, "zip", zips)
        source = generalized(zips, 0) if zips else "source"
        ((smallest, summed, groups, lost),) = con.execute(
            "select min(frequency), sum(frequency)::bigint, count(*), coalesce(sum(tuples) filter "
            "(frequency < 5), 0)::bigint from tanon.frequency_set($source, $who, $qi)",
            {"source": source, "who": WHO, "qi": [SEX, "zip"]},
        ).fetchall()
        ((name, fine, m, s, number, left_out, share, _),) = shown(page)
        assert (name, number, left_out, share) == ("without time", groups, lost, lost / 450)
        assert fine == (lost <= 0.29 * 450)
        if not fine:
            assert (m, s) == (smallest, summed)
    assert fine
    runs(page, con, 450 - left_out)


def test_values_of_a_sensitive_column_are_asked_of_every_group(with_zip, con, folder, monkeypatch):
    monkeypatch.chdir(folder)
    page = with_zip
    choose(page, "diagnosis", "sensitive")
    count(page)
    level(page, "zip", 2)
    rows = {row[0]: row for row in shown(page)}
    source = "(from tanon.generalize($q, 'when', 'quarter'))".replace(
        "$q", "'" + generalized(2, 0).replace("'", "''") + "'"
    )
    assert [(*row[:7], row[-1]) for row in rows.values()] == said_by_sql(
        con, 5, 290, generalized(2, 0), [SEX, "zip"]
    )
    move(page, "k", 2)
    move(page, "permille", 0)
    rows = {row[0]: row for row in shown(page)}
    if not rows["quarter"][1]:  # then it is told of all groups
        ((values, balanced),) = con.execute(
            "select distinct_l, frequency_l from tanon.diversity_metrics($source, groups := "
            "$groups, sensitive := 'diagnosis', respondent := $who)",
            {"source": source, "groups": [SEX, "zip", "when"], "who": WHO},
        ).fetchall()
        assert rows["quarter"][7:9] == (values, balanced)
    move(page, "permille", 500)
    move(page, "l", 3)
    finest = next(row for row in shown(page) if row[-1])
    assert finest[7] >= 3
    runs(page, con, 450 - finest[5])
    kept = con.execute(taken(page)["The release in SQL"]).fetchall()
    groups = {}
    for *known, diagnosis in kept:
        groups.setdefault(tuple(known), set()).add(diagnosis)
    assert min(map(len, groups.values())) == finest[7]


def allowed(con, k, l, share):  # noqa: E741
    """Whether the publisher makes a release of it."""
    limits = ", sensitive := 'ill', limits := $limits" if l > 1 else ""
    call = (
        "select records from tanon.publish_events('wards', respondent := 'who', "
        f"qi := ['ward'], k := $k, max_suppression := $share{limits}, result := 'summary')"
    )
    given = {"k": k, "share": share} | ({"limits": {"distinct_l": l}} if l > 1 else {})
    try:
        return con.execute(call, given).fetchall() != []
    except duckdb.InvalidInputException as error:
        assert "room for at most" in str(error)
        return False


def test_what_would_be_missing_is_judged_as_the_publisher_does(page):
    """Wards of one disease that are all of one, or of two; a few persons in wards of their own."""
    asked = {"respondent": "who", "qi": ["ward"], "ts": "", "granularities": [], "sensitive": "ill"}
    met = set()
    for diseases in (1, 2):
        with tanon_duck.connect() as con:
            con.execute(
                "create table wards as select i as who, i // 6 as ward, case when i < 12 "
                f"then 'only ' || i // 6 % {diseases} else 'd' || i % 3 end as ill "
                "from range(100) as t(i)"
            )
            names = Names("t", "t", "", "t")
            counts = ExploredTable(con, "wards", names).answer("counts", asked)
            for k, l, permille in product((2, 5, 7), (1, 2, 3), (0, 150, 900)):  # noqa: E741
                told = page.execute_async_script(
                    "const [counts, k, permille, l, done] = arguments; import('./judge.js')"
                    ".then((judge) => done(judge.judged(counts, k, permille, l)[0]));",
                    counts, k, permille, l,
                )  # fmt: skip
                assert told["acceptable"] == allowed(con, k, l, permille / 1000), (k, l, permille)
                met.add((told["hidden"], told["acceptable"]))
    assert met == {(True, True), (True, False), (False, False)}


def test_a_count_is_stopped(page, con, server):
    page.execute_script("document.getElementById('count').click()")
    # The button does what the question does, of which test_table.py says that it stops.
    page.execute_script("document.getElementById('stop').click()")
    wait(page, "return document.getElementById('stop').hidden")
    count(page)


def test_everything_can_be_done_with_keys(page):
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys

    move(page, "k", 5)
    slider = page.find_element(By.ID, "k-range")
    slider.send_keys(Keys.ARROW_RIGHT)
    assert page.execute_script("return document.getElementById('k').value") == "6"
    assert "6 respondents" in page.find_element(By.ID, "verdict").text
    granularity = page.find_element(By.ID, "granularity")
    granularity.send_keys(Keys.HOME)
    assert page.find_element(By.ID, "granularity-said").text == "week"
    assert not page.execute_script("return document.getElementById('follow').checked")
    page.find_element(By.ID, "follow").send_keys(Keys.SPACE)
    assert page.find_element(By.ID, "granularity-said").text != "week"
    # What can be pressed or moved has a name, and none is out of reach of the tabulator.
    assert (
        page.execute_script(
            "return [...document.querySelectorAll('button, input, select')].filter(e => "
            "e.tabIndex < 0 || !(e.textContent.trim() || e.ariaLabel || e.labels?.length))"
            ".map(e => e.outerHTML)"
        )
        == []
    )


def test_a_changed_role_asks_to_be_counted_again(page):
    choose(page, "zip", "quasi-identifier")
    assert "count again" in page.execute_script(
        "return document.getElementById('state').textContent"
    )
    choose(page, "zip", "")
    assert "450 rows" in page.execute_script("return document.getElementById('state').textContent")


def test_series_follow_k_and_p(page, con):
    choose(page, "readings", "reading")
    move(page, "sample", "50")
    move(page, "series-k", 6)
    move(page, "series-p", 2)
    # Several rows of a patient are no series: the page says so, and goes on.
    wait(page, "return document.getElementById('series-state').textContent.includes('unique')")
    assert page.execute_script("return document.querySelectorAll('#envelopes svg').length") == 0
    choose(page, "readings", "")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_can_be_read_and_nothing_is_cut_off(page, scheme):
    for width in (1000, 400):
        screen(page, width, scheme)
        assert page.execute_script(CONTRAST) == []
        there, seen = page.execute_script(WIDE)
        assert there <= seen <= width
    background = page.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(255, 255, 255)") == (scheme == "light")
    screen(page, 1000, "light")


def screen(browser, width, scheme):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False})  # fmt: skip
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": scheme}]})  # fmt: skip


def test_the_report_is_kept_by_the_browser(page, folder):
    page.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)}
    )
    page.execute_script("document.getElementById('report-public').click()")
    said = "return document.getElementById('report-state').textContent"
    wait(page, f"{said}.startsWith('The promise')")
    end = time.monotonic() + LONGEST
    while not (folder / "report.html").is_file() and time.monotonic() < end:
        time.sleep(0.05)
    assert (folder / "report.html").read_text().startswith("<!doctype html>")


def test_series_that_are_series_are_drawn(browser, con, page):
    """Last, as the browser leaves the page: the one of a table of series."""
    made = ExplorerServer(ExploredTable(con, "incomes", Names("incomes", "incomes", "", "incomes")))
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        browsers.look(browser, made.url, 400)
        wait(browser, "return document.body.dataset.ready === 'yes'")
        move(browser, "sample", "50")
        move(browser, "series-k", 5)
        move(browser, "series-p", 2)
        choose(browser, "name", "respondent")
        choose(browser, "incomes", "reading")
        wait(browser, "return document.querySelectorAll('#envelopes svg').length > 0")
        loss = "return document.getElementById('series-tiles').dataset.loss"
        before = json.loads(browser.execute_script(loss))
        assert before["records"] + before["suppressed"] == 50
        move(browser, "series-k", 25)
        wait(browser, f"{loss} !== {json.dumps(browser.execute_script(loss))}")
        after = json.loads(browser.execute_script(loss))
        sample = "(from incomes order by hash(name::varchar), name limit 50)"
        con.execute(
            "create temp table checked as from tanon.publish_series($sample, series_id := 'name', "
            "series := 'incomes', k := 25, p := 2, for_owner := true)",
            {"sample": sample},
        )
        rows = con.execute("from tanon.series_loss('checked', $sample, series_id := 'name', "
            "series := 'incomes')", {"sample": sample}).fetchall()  # fmt: skip
        assert tuple(after.values()) == rows[0] and after["value_loss"] > before["value_loss"]
        assert browser.execute_script(CONTRAST) == []
        there, seen = browser.execute_script(WIDE)
        assert there <= seen <= 400
    finally:
        made.shutdown()
        made.server_close()
        thread.join()


def test_no_error_and_no_request_to_anybody_else(browser, page):
    """Of all that was done above: the browser tells what it logged and whom it asked."""
    assert browser.get_log("browser") == []
    asked = [
        json.loads(entry["message"])["message"]["params"]["request"]["url"]
        for entry in browser.get_log("performance")
        if '"Network.requestWillBeSent"' in entry["message"]
    ]
    # The browser's own pages, and what a page holds in itself, come from nowhere.
    fetched = [url for url in asked if not url.startswith(("chrome", "data:", "blob:"))]
    assert len(fetched) > 8
    assert [url for url in fetched if not url.startswith("http://127.0.0.1:")] == []
