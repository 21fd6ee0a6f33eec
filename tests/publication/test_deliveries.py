"""Deliveries: what is new since the last one, word for word, once, whatever happens in between."""

import json
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest
from publication.streams import BEGIN
from waiting import LONGEST

import tanon_duck
from tanon_duck import TanonError, cli, demo, publication
from tanon_duck.publishing import delivering

FIRST, LAST = date(2024, 3, 1), date(2024, 4, 11)
ROOT = Path(__file__).parents[2]
PARTS = ("individuals", "values")


def begin(con, **more):
    return publication(con, "flu", "cases", **(BEGIN | {"allow_identifying": ["age"]} | more))


def delivered(con, folder, part, ending="parquet"):
    """The rows of all deliveries, one behind the other."""
    return [
        row
        for inside in sorted(folder.glob("flu-*"))
        for row in con.execute(f"from '{inside}/{part}.{ending}'").fetchall()
    ]


def pair(stream):
    return {part: getattr(stream, part)().fetchall() for part in PARTS}


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_put_behind_one_another_they_are_the_whole_pair(demo_con, tmp_path, ending):
    stream = begin(demo_con)
    for day in (9, 10, 25, 41):
        stream.advance(FIRST + timedelta(day))
        stream.deliver(tmp_path, ending=f".{ending}")
        whole = pair(stream)
        assert {p: delivered(demo_con, tmp_path, p, ending) for p in PARTS} == whole
        stream = publication(demo_con, "flu")
    stream.finish()
    (last,) = stream.deliver(tmp_path, ending=f".{ending}")
    assert {p: delivered(demo_con, tmp_path, p, ending) for p in PARTS} == pair(stream)
    assert (last.number, last.after, last.upto) == (5, LAST - timedelta(3), LAST)
    assert [inside.name for inside in sorted(tmp_path.iterdir())] == [
        f"flu-{number:06d}" for number in range(1, 6)
    ]


def test_nothing_new_makes_no_folder_and_whole_makes_everything_again(demo_con, tmp_path):
    stream = begin(demo_con)
    assert stream.deliver(tmp_path) == []
    stream.advance("2024-03-12")
    assert len(stream.deliver(tmp_path)) == 1
    assert stream.deliver(tmp_path) == []
    stream.advance("2024-03-20")
    stream.deliver(tmp_path)
    (whole,) = stream.deliver(tmp_path, whole=True)
    assert (whole.number, whole.after) == (3, None)
    found = demo_con.execute(f"from '{whole.folder}/individuals.parquet'").fetchall()
    assert found == stream.individuals().fetchall()
    stream.advance("2024-03-25")
    (after,) = stream.deliver(tmp_path)
    assert after.after == whole.upto


def test_a_manifest_with_every_parameter_and_digest_and_no_person(demo_con, tmp_path):
    stream = begin(demo_con, move_cost="d^2", suppress_cost=9)
    stream.advance("2024-03-20")
    (done,) = stream.deliver(tmp_path)
    text = (done.folder / "manifest.json").read_text()
    told = json.loads(text)
    kept = {
        "l": "2",
        "w": 4,
        "granularity": None,
        "move_cost": "d^2",
        "suppress_cost": "9",
        "method": "step",
    }
    kept |= {"start": "stream", "lateness": "any", "repeats": "separate"}
    assert told["parameters"] == kept
    assert told["roles"]["respondent"] == ["person"]
    assert told["roles"]["allow_identifying"] == ["age"]
    record = stream.manifest()
    assert told["source"]["rows"] == record["published"] + record["suppressed"] < record["records"]
    assert told["suppressed"] == record["suppressed"] > 0
    for part in PARTS:
        digest = f"select digest, rows from tanon.row_digest('{done.folder}/{part}.parquet')"
        of_part = told["release"][part]
        assert demo_con.execute(digest).fetchall() == [(of_part["digest"], of_part["rows"])]
    assert {check["holds"] for check in told["checks"]} == {True}
    diseases = demo_con.execute("select distinct disease from cases").fetchall()
    assert [d for (d,) in diseases if d in text.replace('"publication": "flu"', "")] == []
    secret = demo_con.execute("select secret from flu.state").fetchall()[0][0]
    assert secret not in text
    assert record["deliveries"] == [told]
    assert (record["advanced_by"], record["duckdb_version"]) == (
        tanon_duck.__version__,
        "v" + told["versions"]["duckdb"],
    )


def test_only_the_owner_may_read_it_and_nothing_hidden_is_left(demo_con, tmp_path):
    stream = begin(demo_con)
    stream.advance("2024-03-20")
    (done,) = stream.deliver(tmp_path)
    modes = {path.name: path.stat().st_mode & 0o777 for path in done.folder.iterdir()}
    assert modes == {"individuals.parquet": 0o600, "values.parquet": 0o600, "manifest.json": 0o600}
    assert done.folder.stat().st_mode & 0o777 == 0o700
    assert list(tmp_path.iterdir()) == [done.folder]


def test_the_pair_as_it_was_received_needs_no_parameter(demo_con, tmp_path):
    stream = begin(demo_con)
    stream.advance("2024-03-20")
    (done,) = stream.deliver(tmp_path)
    files = [str(done.folder / f"{part}.parquet") for part in PARTS]
    assert {holds for *_, holds in stream.check(*files).fetchall()} == {True}
    demo_con.execute(f"create table spoilt as from '{files[1]}' where disease <> 'flu'")
    told = {row[0]: row[-1] for row in stream.check(files[0], "spoilt").fetchall()}
    assert told["groups of both tables"] is False
    with pytest.raises(TanonError, match=r"values must be a table, .*, got 'a DuckDBPyRelation'"):
        stream.check(files[0], stream.values())
    for name, pair in (("individuals", files[::-1]), ("values", files[:1] * 2)):
        with pytest.raises(TanonError, match=f"publication: {name} must be .*, got one without "):
            stream.check(*pair)


@pytest.mark.parametrize("moment", ["_write_folder", "_flush_to_disk", "rename", "after"])
def test_what_was_interrupted_is_done_first_and_once(demo_con, tmp_path, monkeypatch, moment):
    """Whatever fails, on the next call the same rows lie under the same name."""
    stream = begin(demo_con)
    stream.advance("2024-03-14")
    calls = []

    def fails(*given):
        calls.append(given)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        if moment == "after":
            patched.setattr(delivering.manifest, "written", fails)
        elif moment == "rename":
            patched.setattr(Path, "rename", fails)
        else:
            patched.setattr(delivering, moment, fails)
        with pytest.raises(KeyboardInterrupt):
            stream.deliver(tmp_path)
    assert calls
    assert stream.manifest()["deliveries"] == []
    left = list(tmp_path.iterdir())
    assert left == []
    stream.advance("2024-03-24")
    first, second = stream.deliver(tmp_path)
    assert (first.number, second.number) == (1, 2)
    assert first.upto == date(2024, 3, 11) == second.after
    assert {p: delivered(demo_con, tmp_path, p) for p in PARTS} == pair(stream)


def test_a_folder_that_was_put_there_before_the_kill_is_taken_for_what_it_is(demo_con, tmp_path):
    stream = begin(demo_con)
    stream.advance("2024-03-14")
    (done,) = stream.deliver(tmp_path)
    before = (done.folder / "manifest.json").read_bytes()
    demo_con.execute("update flu.deliveries set delivered = null, manifest = null")
    (again,) = stream.deliver(tmp_path)
    assert again == done
    assert (done.folder / "manifest.json").read_bytes() == before
    demo_con.execute("update flu.deliveries set delivered = null, manifest = null")
    (done.folder / "manifest.json").write_bytes(before.replace(b'"rows": ', b'"rows": 1'))
    with pytest.raises(TanonError, match="flu-000001 must be this delivery or not exist"):
        stream.deliver(tmp_path)


def test_killed_at_random_moments_nothing_is_lost_or_delivered_twice(tmp_path):
    path, folder = tmp_path / "cases.duckdb", tmp_path / "out"
    folder.mkdir()
    with tanon_duck.connect(path) as con:
        demo.create_tables(con)
        begin(con)
    script = Path(__file__).with_name("killed_deliveries.py")
    ran = subprocess.run(
        [sys.executable, str(script), str(path), str(folder), "6", "11"],
        capture_output=True,
        text=True,
        timeout=LONGEST,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
    )
    assert ran.returncode == 0, ran.stderr
    with tanon_duck.connect(path) as con:
        stream = publication(con, "flu")
        assert {p: delivered(con, folder, p) for p in PARTS} == pair(stream)
        told = stream.manifest()["deliveries"]
        spans = [tuple(d["snapshots"].values()) for d in told]
        assert [after for after, _ in spans] == [None, *(upto for _, upto in spans[:-1])]
        stream.verify()


def test_a_pair_that_fails_its_check_is_not_delivered(demo_con, tmp_path, monkeypatch):
    stream = begin(demo_con)
    stream.advance("2024-03-20")
    spoilt = demo_con.execute
    monkeypatch.setattr(
        type(stream), "check_of", lambda _self, individuals, values: (
            "check_release($v, qi := 'day', k := 400)", {"v": values}
        )
    )  # fmt: skip
    with pytest.raises(TanonError, match="the release must keep its promises, got"):
        stream.deliver(tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert spoilt("select count(*) from flu.deliveries where delivered is null").fetchall() == [
        (1,)
    ]


@pytest.mark.parametrize(
    ("folder", "ending", "message"),
    [
        ("nowhere", ".parquet", "folder must be a folder that exists, got"),
        (".", ".xlsx", r"ending must be one of .parquet, .csv, got '.xlsx'"),
    ],
)
def test_wrong_places(demo_con, tmp_path, folder, ending, message):
    stream = begin(demo_con)
    stream.advance("2024-03-20")
    with pytest.raises(TanonError, match=f"tanon.publication: {message}"):
        stream.deliver(tmp_path / folder, ending=ending)


def test_from_the_command_line(tmp_path, capsys):
    path, folder = tmp_path / "cases.duckdb", tmp_path / "out"
    folder.mkdir()
    with tanon_duck.connect(path) as con:
        demo.create_tables(con)
    words = [
        "stream",
        str(path),
        "flu",
        "--source",
        "cases",
        "--respondent",
        "person",
        "--ts",
        "day",
        "--sensitive",
        "disease",
    ]
    words += ["--qi", "age", "district", "--allow-identifying", "age", "--l", "2", "--w", "4"]
    assert cli.main([*words, "--upto", "2024-03-20", "--deliver", str(folder)]) == 0
    again = ["stream", str(path), "flu", "--deliver", str(folder)]
    assert cli.main(again) == 0
    assert cli.main([*again, "--whole"]) == 0
    told = capsys.readouterr()
    assert told.out.splitlines()[1:] == [
        "flu-000001: 175 rows up to 2024-03-17",
        "flu-000002: 175 rows up to 2024-03-17",
    ]
    assert told.err == "flu: nothing new to deliver\n"
    assert cli.main([*again[:-2], "--whole"]) == 1
    assert "--whole must be given with --deliver" in capsys.readouterr().err
