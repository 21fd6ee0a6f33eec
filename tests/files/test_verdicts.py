"""A check as a command: its exit status, its reports, and what it does not show."""

import json
import subprocess
import sys

import pytest

from tanon_duck import cli

CHECK = ["k_anonymity_violations", "visits.csv", "--respondent", "patient", "--qi", "zip,age"]


@pytest.fixture
def folder(demo_con, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    demo_con.execute("copy visits to 'visits.csv'")
    return tmp_path


def left_with(words):
    """The status of a process, as a pipeline sees it."""
    return subprocess.run(
        [sys.executable, "-m", "tanon_duck", *words], capture_output=True
    ).returncode


@pytest.mark.parametrize(("words", "status"), [(["-k2"], 1), (["--qi=patient", "-k2"], 2)])
def test_a_process_leaves_with_the_verdict(folder, words, status):
    assert left_with([*CHECK, *words]) == status
    assert left_with(["k_anonymity_violations", *CHECK[1:4], "--qi", "sex", "-k", "100"]) == 0


def test_rows_are_still_printed_and_the_verdict_is_said_beside(folder, capsys):
    assert cli.main([*CHECK, "-k", "2"]) == 1
    shown = capsys.readouterr()
    assert shown.out.startswith("zip,age,frequency,tuples\n")
    assert shown.err == (
        "tanon-duck: k_anonymity_violations: does not hold: frequency 1 (>= 2), 124 rows\n"
    )
    assert cli.main([*CHECK, "-k", "2", "--quiet"]) == 1
    assert capsys.readouterr().err == ""


def test_a_call_without_a_promise_is_no_check(folder, capsys):
    words = ["k_anonymity", *CHECK[1:]]
    assert cli.main(words) == 0
    assert "holds" not in capsys.readouterr().out
    assert cli.main([*words, "-k", "2"]) == 1
    assert capsys.readouterr().out.splitlines()[1].endswith("false")


def test_one_of_several_bounds_is_a_promise(folder, capsys):
    words = ["presence_metrics", *CHECK[1:], "--population", "visits.csv"]
    assert cli.main(words) == 0
    assert "holds" not in capsys.readouterr().out
    assert cli.main([*words, "--delta-high", "1"]) == 0
    assert capsys.readouterr().out.splitlines()[1].endswith("true")
    assert cli.main([*words, "--delta-high", "0.5", "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["checks"][0]["failing"] == 1


def test_reports_are_made_in_the_form_asked_for(folder, capsys):
    assert cli.main([*CHECK, "-k", "2", "--format", "json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["status"], told["checks"][0]["failing"]) == (1, 124)
    assert cli.main([*CHECK, "-k", "2", "--format", "junit"]) == 1
    assert '<failure message="frequency 1 (&gt;= 2), 124 rows">' in capsys.readouterr().out
    assert cli.main([*CHECK, "-k", "1", "--format", "github"]) == 2
    shown = capsys.readouterr()
    assert shown.out.startswith("::error title=k_anonymity_violations::could not tell: ")
    assert shown.err.endswith("k must be an integer > 1\n")
    assert cli.main([*CHECK, "-k", "1"]) == 2
    assert "k must be an integer > 1, got 1" in capsys.readouterr().err


@pytest.mark.parametrize("format", ["text", "json", "csv", "junit", "github"])
def test_a_report_shows_values_only_if_asked_to(folder, capsys, format):
    assert cli.main([*CHECK, "-k", "2", "--format", format]) == 1
    shown = capsys.readouterr()
    assert "124" in shown.out
    assert "100" not in shown.out + shown.err
    assert cli.main([*CHECK, "-k", "2", "--values", "--format", format]) == 1
    control = capsys.readouterr().out
    assert ("10010" in control or "10000" in control) == (format not in ("csv", "github"))


@pytest.mark.parametrize("format", ["text", "json", "csv", "junit", "github"])
def test_a_file_that_cannot_be_read_shows_no_value(folder, capsys, format):
    """A comma too many has moved a name into the column of ages."""
    rows = "".join(f"{n},{n % 90},w\n" for n in range(30_000))
    (folder / "moved.csv").write_text(f"who,age,ward\n{rows}1,Jane SECRETNAME,w\n")
    call = ["k_anonymity_violations", "moved.csv", "--respondent", "who", "--qi", "age", "-k", "2"]
    assert cli.main([*call, "--format", format]) == 2
    shown = capsys.readouterr()
    assert "SECRETNAME" not in shown.out + shown.err
    assert "moved.csv cannot be read as csv" in shown.err
    assert cli.main([*call, "--format", format, "--values"]) == 2
    assert "SECRETNAME" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        ([], 2, "source must be a relation with a row, unless allow_empty says otherwise"),
        (["--allow-empty"], 0, ""),
        (["--min-rows", "0"], 2, "min_rows must be a whole number of 1 or more, got 0"),
        (["--min-rows", "2", "--allow-empty"], 2, "allow_empty must not come with min_rows"),
    ],
)
def test_an_empty_file_is_undecided(folder, capsys, words, status, told):
    (folder / "empty.csv").write_text("patient,zip,age\n")
    call = ["k_anonymity_violations", "empty.csv", *CHECK[2:], "-k", "2", *words]
    assert cli.main(call) == status
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(("least", "status"), [(450, 0), (451, 2)])
def test_fewer_rows_than_wanted_are_undecided(folder, capsys, least, status):
    call = ["k_anonymity", "visits.csv", "--respondent", "patient", "--qi", "sex", "-k", "2"]
    assert cli.main([*call, "--min-rows", str(least)]) == status
    assert ("min_rows (451), got 450 rows" in capsys.readouterr().err) == bool(status)


def test_rows_go_to_a_file_beside_the_report(folder, capsys):
    assert cli.main([*CHECK, "-k", "2", "--format", "text", "-o", "rare.csv"]) == 1
    assert len((folder / "rare.csv").read_text().splitlines()) == 125
    assert "FAIL" in capsys.readouterr().out


def test_a_format_that_is_none_is_a_wrong_call(folder, capsys):
    for words, meant in ((["-k2", "--format=jsn"], "json"), (["-k2", "--format=gihub"], "github")):
        with pytest.raises(SystemExit) as raised:
            cli.main([*CHECK, *words])
        assert raised.value.code == 2
        assert f"did you mean '{meant}'" in capsys.readouterr().err
