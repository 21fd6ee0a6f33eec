"""A release as a file with its manifest beside it: both whole, for the owner's eyes, or neither."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from tanon_duck import TanonError, cli, release
from tanon_duck.interfaces.files import release_folder

PUBLISH = ["publish_events", "visits.parquet", "--respondent", "patient", "--qi", "sex", "--ts"]
PUBLISH += ["admitted", "--granularities", "month,quarter", "-k", "5", "--keep", "diagnosis"]
COUNT = ["frequency_set", "visits.parquet", "--respondent", "patient", "--qi", "zip"]


@pytest.fixture
def folder(demo_con, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    demo_con.execute("copy visits to 'visits.parquet'")
    return tmp_path


def names(folder):
    return sorted(path.name for path in folder.iterdir() if path.name != "visits.parquet")


@pytest.mark.parametrize("target", ["out.parquet", "out.csv.gz", "out.arrow", "out.json"])
def test_a_release_has_its_manifest_beside_it(folder, target):
    assert cli.main([*PUBLISH, "-o", target]) == 0
    assert names(folder) == [target, f"{target}.manifest.json"]
    assert {(folder / name).stat().st_mode & 0o777 for name in names(folder)} == {0o600}
    told = json.loads((folder / f"{target}.manifest.json").read_text())
    written = (folder / target).read_bytes()
    assert told["file"] == {
        "name": target,
        "bytes": len(written),
        "sha256": hashlib.sha256(written).hexdigest(),
    }
    assert told["source"]["relation"] == "visits.parquet"
    assert told["parameters"]["k"] == 5
    assert told["roles"]["keep"] == ["diagnosis"]


def test_the_rows_are_those_of_the_call_and_of_their_digest(folder, demo_con):
    assert cli.main([*PUBLISH, "-o", "out.parquet"]) == 0
    assert cli.main([*PUBLISH, "-o", "plain.parquet", "--no-manifest"]) == 0
    rows = [demo_con.execute(f"from '{name}.parquet'").fetchall() for name in ("out", "plain")]
    assert rows[0] == rows[1]
    told = json.loads((folder / "out.parquet.manifest.json").read_text())
    ((found,),) = demo_con.execute("select digest from tanon.row_digest('out.parquet')").fetchall()
    assert found == told["release"]["digest"]


@pytest.mark.parametrize("result", ["summary", "suppressed", "warnings", "attacks", "columns"])
def test_a_result_for_the_owner_has_none_and_says_so(folder, capsys, result):
    assert cli.main([*PUBLISH, "--result", result, "-o", "own.csv"]) == 0
    assert names(folder) == ["own.csv"]
    assert capsys.readouterr().err == "own.csv: for the owner, not for release\n"


def test_only_releases_have_one_and_only_in_files(folder, capsys):
    assert cli.main([*PUBLISH, "--no-manifest", "-o", "a.csv"]) == 0
    assert cli.main([*PUBLISH, "--for-owner", "-o", "b.csv"]) == 0
    assert cli.main([*COUNT, "-o", "c.csv"]) == 0
    assert cli.main(PUBLISH) == 0
    assert names(folder) == ["a.csv", "b.csv", "c.csv"]
    with pytest.raises(SystemExit):
        cli.main([*COUNT, "--no-manifest"])
    with pytest.raises(SystemExit):
        cli.main(["publish_events", "--help"])
    assert "OUTPUT.manifest.json" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("there", ["out.csv", "out.csv.manifest.json"])
def test_neither_is_replaced_unless_it_is_said(folder, capsys, there):
    (folder / there).write_text("precious")
    assert cli.main([*PUBLISH, "-o", "out.csv"]) == 1
    assert f"{there} exists already, and is left as it is" in capsys.readouterr().err
    assert names(folder) == [there]
    assert (folder / there).read_text() == "precious"
    assert cli.main([*PUBLISH, "-o", "out.csv", "--force"]) == 0
    assert "precious" not in (folder / there).read_text()
    assert names(folder) == ["out.csv", "out.csv.manifest.json"]


@pytest.mark.parametrize("moment", ["write_table", "bytes_of", "written", "put_together"])
def test_a_failure_leaves_nothing_behind(folder, monkeypatch, moment):
    def fails(*_):
        raise OSError("disk full")

    monkeypatch.setattr(release_folder, moment, fails)
    assert cli.main([*PUBLISH, "-o", "out.csv"]) == 1
    assert names(folder) == []


def test_a_manifest_that_cannot_be_put_there_takes_the_file_along(folder, monkeypatch):
    whole = os.link

    def fails(part, target):
        if str(target).endswith(".json"):
            raise FileExistsError(target)
        whole(part, target)

    monkeypatch.setattr(os, "link", fails)
    assert cli.main([*PUBLISH, "-o", "out.csv"]) == 1
    assert names(folder) == []


def test_a_release_that_breaks_its_promise_is_not_written(folder, monkeypatch, capsys):
    from tanon_duck.accounting import manifest

    def broken(*_):
        raise TanonError("tanon.publish_events: the release must keep its promises")

    monkeypatch.setattr(manifest, "checked", broken)
    assert cli.main([*PUBLISH, "-o", "out.csv"]) == 1
    assert "must keep its promises" in capsys.readouterr().err
    assert names(folder) == []


def test_killed_at_any_moment_no_manifest_lies_beside_another_file(folder):
    """A manifest that is there tells of the file beside it, also where old ones are replaced."""
    command = [sys.executable, "-c", "import sys; from tanon_duck import cli; sys.exit(cli.main())"]
    for wait in (0.5, 1.0, 1.6, 2.2, 2.8, None):
        ran = subprocess.Popen([*command, *PUBLISH, "-o", "out.csv", "--force"])
        if wait is not None:
            time.sleep(wait)
            ran.send_signal(signal.SIGKILL)
        code = ran.wait()
        note, file = folder / "out.csv.manifest.json", folder / "out.csv"
        if note.exists():
            told = json.loads(note.read_text())["file"]["sha256"]
            assert told == hashlib.sha256(file.read_bytes()).hexdigest()
    assert code == 0
    assert note.exists()


def test_from_python_the_same(folder, demo_con):
    made = release(
        demo_con, "publish_events", into="out", source="visits", respondent="patient", qi=["sex"],
        ts="admitted", granularities=["month", "quarter"], k=5, keep=["diagnosis"],
    )  # fmt: skip
    made.write("out.csv")
    assert cli.main([*PUBLISH, "-o", "by_command.csv"]) == 0
    assert (folder / "out.csv").read_bytes() == (folder / "by_command.csv").read_bytes()
    assert {(folder / name).stat().st_mode & 0o777 for name in names(folder)} == {0o600}
    with pytest.raises(TanonError, match=r"out\.csv exists already"):
        made.write("out.csv")
    with pytest.raises(TanonError, match=r"tanon.release: out.txt must end in one of"):
        made.write("out.txt")
