"""`tanon-duck check`: files, formats and the status that a pipeline stops at."""

import json
import xml.etree.ElementTree as ElementTree

import duckdb
import pytest

from tanon_duck import cli

POLICY = """
[relation.people]
file = "data/*.csv"
as_text = ["zip"]
respondent = "who"

[[check]]
name = "zips"
function = "k_anonymity_violations"
qi = "zip"
k = {k}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A policy in a folder, called from another one."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.csv").write_text("who,zip\n1,01\n2,01\n3,secret\n")
    (tmp_path / "data" / "b.csv").write_text("who,zip\n4,01\n3,secret\n")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    return tmp_path


def check(folder, *words, text=POLICY, k=3):
    (folder / "policy.toml").write_text(text.replace("{k}", str(k)))
    return cli.main(["check", "../policy.toml", *words])


def test_the_three_statuses(folder, capsys):
    assert check(folder, k=2) == 1
    shown = capsys.readouterr().out
    assert "FAIL   zips  frequency 1 (>= 2), 1 row\n" in shown
    assert "secret" not in shown
    assert check(folder, "--values", k=2) == 1
    assert "zip = secret, frequency = 1" in capsys.readouterr().out
    (folder / "data" / "b.csv").write_text("who,zip\n4,01\n5,secret\n")
    assert check(folder, k=2) == 0
    assert check(folder, text=POLICY.replace("who", "whom")) == 2
    assert "did you mean who?" in capsys.readouterr().out
    assert check(folder, text=POLICY.replace("function", "funtion")) == 2
    assert "key funtion does not exist; did you mean 'function'" in capsys.readouterr().err
    assert check(folder, text=POLICY.replace("*.csv", "*.parquet")) == 2
    assert "no file matches" in capsys.readouterr().out
    (folder / "broken.duckdb").write_text("no database " * 1000)
    assert check(folder, text='database = "broken.duckdb"' + POLICY) == 2
    assert "broken.duckdb" in capsys.readouterr().err
    assert cli.main(["check"]) == 2


def test_formats(folder, capsys):
    assert check(folder, "--format=json") == 1
    assert json.loads(capsys.readouterr().out)["checks"][0]["name"] == "zips"
    assert check(folder, "--format=junit", "-o", "report.xml") == 1
    assert capsys.readouterr().out == ""
    suite = ElementTree.parse("report.xml").getroot()
    assert suite.get("failures") == "1"
    assert check(folder, "--format=github") == 1
    assert capsys.readouterr().out.startswith("::error title=zips::")
    assert check(folder, "--format=jsn") == 2
    assert "did you mean 'json'" in capsys.readouterr().err


@pytest.mark.parametrize("format", ["text", "json", "csv", "junit", "github"])
def test_values_are_shown_only_if_asked_for(folder, capsys, format):
    query = '(select who, zip from people where zip <> \\"Jane SECRETNAME\\")'.replace('\\"', "'")
    asked = f'\n[[check]]\nfunction = "k_anonymity_violations"\nsource = "{query}"\n'
    asked += 'respondent = "who"\nqi = "zip"\nk = 9\n'
    text = POLICY + asked
    assert check(folder, "--format", format, text=text, k=9) in (1, 2)
    shown = capsys.readouterr()
    assert "secret" not in (shown.out + shown.err).lower()
    assert "zip" in shown.out
    assert check(folder, "--format", format, "--values", text=text, k=9) in (1, 2)
    assert ("secret" in capsys.readouterr().out) == (format not in ("csv", "github"))


def test_a_title_holds_no_query(folder, capsys):
    """Titles are recorded, so that they are the same with values and without."""
    text = (
        POLICY.replace('name = "zips"\n', "").replace(
            "function =", "source = \"(from people where zip <> 'Jane SECRETNAME')\"\nfunction ="
        )
        + "ratchet = true\n"
    )
    assert check(folder, "--record", "--values", text=text, k=2) in (1, 2)
    assert "k_anonymity_violations of (a query) by zip" in capsys.readouterr().out


@pytest.mark.parametrize("format", ["text", "json", "csv", "junit", "github"])
def test_a_file_that_cannot_be_read_shows_no_value(folder, capsys, format):
    rows = "".join(f"{n},{n % 90}\n" for n in range(30_000))
    (folder / "data" / "a.csv").write_text(f"who,zip\n{rows}1,Jane SECRETNAME\n")
    (folder / "data" / "b.csv").unlink()
    text = POLICY.replace('as_text = ["zip"]\n', "")
    assert check(folder, "--format", format, text=text) == 2
    shown = capsys.readouterr()
    assert "SECRETNAME" not in shown.out + shown.err
    assert "cannot be read as csv" in shown.out
    assert check(folder, "--format", format, "--values", text=text) == 2
    assert "SECRETNAME" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ("", 2),
        ("allow_empty = true", 0),
        ("min_rows = 1", 2),
        ("allow_empty = false", 2),
        ('severity = "warn"', 2),
        ("allow = 9", 2),
        ("ratchet = true", 2),
    ],
)
def test_a_table_without_rows_is_undecided(folder, capsys, more, status):
    """As when the load before has failed; the same below the number of rows that is wanted."""
    for name in ("a", "b"):
        (folder / "data" / f"{name}.csv").write_text("who,zip\n")
    assert check(folder, text=POLICY + more + "\n") == status
    assert ("source must be a relation with " in capsys.readouterr().out) == bool(status)


@pytest.mark.parametrize(("least", "status"), [(5, 0), (6, 2)])
def test_a_table_with_fewer_rows_than_wanted_is_undecided(folder, capsys, least, status):
    text = POLICY + f"allow = 1\n[defaults]\nmin_rows = {least}\n"
    assert check(folder, text=text, k=3) == status
    assert ("min_rows (6), got 5 rows" in capsys.readouterr().out) == bool(status)


def test_quiet_says_it_by_the_status(folder, capsys):
    assert check(folder, "--quiet") == 1
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", "")


def test_recording(folder, capsys):
    text = POLICY + "ratchet = true\n"
    assert check(folder, "--record", text=text, k=9) == 1
    state = folder / "policy.state.json"
    assert "secret" not in state.read_text()
    assert check(folder, text=text, k=9) == 0
    (folder / "data" / "a.csv").write_text("who,zip\n1,01\n2,01\n3,secret\n7,worse\n")
    assert check(folder, "--record", text=text, k=9) == 1
    assert check(folder, text=text, k=9) == 1
    check(folder, "--record", "--force", text=text, k=9)
    assert check(folder, text=text, k=9) == 0
    assert check(folder, "--force", text=text) == 2


def test_tables_of_a_database(folder, capsys):
    with duckdb.connect(str(folder / "d.duckdb")) as con:
        con.execute("create table people as select range as who, range % 2 as zip from range(9)")
    text = 'database = "d.duckdb"\n' + POLICY.replace('file = "data/*.csv"', "").replace(
        'as_text = ["zip"]', ""
    )
    assert check(folder, text=text, k=4) == 0
    assert check(folder, text=text, k=5) == 1
    assert check(folder, text=text.replace("d.duckdb", "e.duckdb")) == 2
    assert "there is no database" in capsys.readouterr().err
    lent = POLICY.replace('"data/*.csv"', '"d.duckdb"\ntable = "people"').replace(
        'as_text = ["zip"]', ""
    )
    assert check(folder, text=lent, k=4) == 0


def test_a_table_of_a_database_file_may_have_the_name_of_its_relation(folder, capsys):
    with duckdb.connect(str(folder / "d.duckdb")) as con:
        con.execute("create table people as select range as who, range % 2 as zip from range(9)")
        con.execute("create table others (who int, zip int)")
    text = POLICY.replace('as_text = ["zip"]', "")
    named = text.replace('"data/*.csv"', '"d.duckdb"\ntable = "people"')
    assert check(folder, text=named, k=4) == 0
    assert check(folder, text=named, k=5) == 1
    capsys.readouterr()
    assert check(folder, text=text.replace("data/*.csv", "d.duckdb")) == 2
    said = "zips  table must name one of ../d.duckdb: it has others, people"
    assert said in capsys.readouterr().out


def test_a_file_in_another_encoding_is_refused_with_the_key_that_names_it(folder, capsys):
    (folder / "data" / "1.csv").write_bytes(b"who,zip\n1,Z\xfcrich\n")
    said = "is not text in {}: name its own, such as encoding = 'latin-1'"
    assert check(folder) == 2
    assert said.format("utf-8") in capsys.readouterr().out
    text = POLICY.replace("as_text", 'encoding = "ascii"\nas_text')
    assert check(folder, text=text) == 2
    assert said.format("ascii") in capsys.readouterr().out


HIPAA = """
[relation.release]
file = "release.csv"
as_text = ["zip"]

[[check]]
preset = "hipaa_safe_harbor"
"""


@pytest.mark.parametrize(
    ("given", "status", "told"),
    [
        ("", 2, "ages must be columns of source, or [] if none has ages"),
        ("ages = []", 2, "zips must be columns of source, or [] if none has ZIP codes"),
        ('zips = "zip"', 2, "ages must be"),
        ('ages = []\nzips = "zip"', 1, "1 row"),
        ('ages = "age"\nzips = []', 1, "1 row"),
        ('ages = ["age"]\nzips = ["zip"]', 1, "2 rows"),
        ("ages = []\nzips = []", 0, "0 rows"),
    ],
)
def test_safe_harbor_is_undecided_until_ages_and_zips_are_given(
    folder, capsys, given, status, told
):
    (folder / "release.csv").write_text("year,zip,age\n2024,10001,97\n2023,10002,45\n")
    assert check(folder, text=HIPAA + given + "\n") == status
    assert told in capsys.readouterr().out


@pytest.mark.parametrize(("words", "status"), [([], 2), (["--ages=[]"], 2), (["--zips", "[]"], 2)])
def test_on_the_command_line_it_is_undecided_as_well(folder, capsys, words, status):
    (folder / "release.csv").write_text("year,zip,age\n2024,10001,97\n")
    call = ["safe_harbor_violations", "../release.csv", "--as-text=zip"]
    assert cli.main([*call, *words]) == status
    assert "or [] if none has" in capsys.readouterr().err
    assert cli.main([*call, "--ages", "[]", "--zips", "[]"]) == 0
    assert cli.main([*call, "--ages", "[]", "--zips", "zip"]) == 1


def test_the_schema_is_printed(capsys):
    assert cli.main(["check", "--schema"]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == "A policy of tanon-duck check"


def test_sql_finds_the_rows_that_break_each_promise_and_runs_nothing(folder, capsys):
    strict = '\n[[check]]\nname = "all\\nof it"\nfunction = "k_anonymity"\nqi = "zip"\nk = 3\n'
    assert check(folder, "--sql", "--record", text=POLICY + strict, k=2) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("-- zips\nfrom (\n") and "\n-- all of it\nfrom (\n" in printed
    assert "-- sql/steps/frequencies.sql:" in printed
    assert {p.name for p in folder.iterdir()} == {"data", "elsewhere", "policy.toml"}
    with duckdb.connect() as plain:
        rare, broken = (plain.execute(s).fetchall() for s in plain.extract_statements(printed))
    assert (rare, len(broken)) == ([("secret", 1, 2)], 1)
    assert check(folder, "--sql", text=POLICY.replace("qi =", "k_min ="), k=2) == 2
    assert check(folder, "--sql", text=POLICY.replace("*.csv", "*.parquet")) == 2
    assert check(folder, "--sql", text=POLICY.replace("data/", "https://x/")) == 2
    nothing = POLICY.replace("_violations", "").replace("k = {k}", "")
    capsys.readouterr()
    assert check(folder, "--sql", text=nothing) == 2
    assert "must be given where it is a check, got none" in capsys.readouterr().err


def test_sql_takes_what_a_database_declares(folder, capsys):
    assert cli.main(["demo", "-o", "demo.duckdb"]) == 0
    assert cli.main(["set_roles", "demo.duckdb", "visits", "patient=respondent"]) == 0
    text = """database = "elsewhere/demo.duckdb"
[[check]]
relation = "visits"
function = "k_anonymity"
qi = "sex"
k = {k}
"""
    capsys.readouterr()
    for k, broken in ((149, []), (150, [149])):
        assert check(folder, "--sql", text=text + "[relation.visits]\n", k=k) == 0
        with duckdb.connect("demo.duckdb", read_only=True) as plain:
            rows = plain.execute(capsys.readouterr().out).fetchall()
        assert [row[0] for row in rows] == broken
