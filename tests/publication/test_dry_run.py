"""A dry run says what a step would come to, and leaves everything as it is."""

import re

import duckdb
import pytest
from publication.streams import BEGIN, published

import tanon_duck
from tanon_duck import TanonError, cli, demo, publication
from tanon_duck.publishing import delivering

WORDS = [
    "--source",
    "cases",
    "--respondent",
    "person",
    "--ts",
    "day",
    "--sensitive",
    "disease",
    "--qi",
    "age",
    "district",
]
WORDS += ["--l", "2", "--w", "4"]


def everything(con):
    """All tables of the publication, and all that is temporary."""
    tables = con.execute(
        "select database_name, schema_name, table_name from duckdb_tables() "
        "where schema_name = 'flu' or temporary order by all"
    ).fetchall()
    views = con.execute("select view_name from duckdb_views() where temporary and not internal")
    rows = [con.execute(f'from "{d}"."{s}"."{t}" order by all').fetchall() for d, s, t in tables]
    return tables, views.fetchall(), rows


def test_it_says_what_the_step_then_does_and_changes_nothing(demo_con):
    stream = publication(demo_con, "flu", "cases", **BEGIN)
    for day in ("2024-03-02", "2024-03-10", "2024-04-11"):
        before = everything(demo_con)
        would = stream.advance(day, dry_run=True)
        assert everything(demo_con) == before
        assert stream.advance(day) == would
    before = everything(demo_con)
    would = stream.finish(dry_run=True)
    assert everything(demo_con) == before
    assert stream.finish() == would


def test_it_refuses_what_the_step_would_refuse(demo_con):
    stream = publication(demo_con, "flu", "cases", **BEGIN)
    stream.advance("2024-03-10")
    before = everything(demo_con)
    for upto, message in (("2024-03-01", "or later"), ("2107-01-20", "at most 2024-04-11")):
        with pytest.raises(TanonError, match=f"upto must be .*{message}"):
            stream.advance(upto, dry_run=True)
    assert stream.advance("2107-01-20", force=True, dry_run=True).published > 0
    demo_con.execute("insert into cases from cases limit 1")
    with pytest.raises(TanonError, match="source must keep the snapshots that were read"):
        stream.advance("2024-03-12", dry_run=True)
    assert everything(demo_con) == before


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "cases.duckdb"
    with tanon_duck.connect(path) as con:
        demo.create_tables(con)
    return path


def test_from_the_command_line_a_publication_is_not_even_begun(database, capsys):
    before = database.read_bytes()
    words = ["stream", str(database), "flu", *WORDS, "--upto", "2024-03-20"]
    assert cli.main([*words, "--dry-run"]) == 0
    would = capsys.readouterr().out
    assert database.read_bytes() == before
    assert cli.main(words) == 0
    assert capsys.readouterr().out == would.replace("would be ", "")
    assert would.startswith("flu: would be seen up to 2024-03-20, released up to 2024-03-17; ")
    for more in (["--upto", "2024-03-30"], ["--finish"]):
        before = database.read_bytes()
        assert cli.main(["stream", str(database), "flu", *more, "--dry-run"]) == 0
        assert database.read_bytes() == before
        assert "would be seen" in capsys.readouterr().out
    with tanon_duck.connect(database) as con:
        assert published(con)[0]
        assert not publication(con, "flu").manifest()["finished"]


def test_its_sql_is_shown_and_changes_nothing(database, capsys):
    before = database.read_bytes()
    words = ["stream", str(database), "flu", *WORDS, "--upto", "2024-03-20", "--sql"]
    assert cli.main(words) == 0
    shown = capsys.readouterr().out
    assert database.read_bytes() == before
    assert shown.startswith("begin transaction;\n")
    assert shown.endswith("rollback;\n")
    assert 'create table "cases"."flu".released' in shown
    assert re.search(r"[0-9a-f]{32}", shown) is None  # no secret, drawn or held
    assert len(duckdb.extract_statements(shown)) > 10


def test_a_database_that_is_not_there_stays_so(database, tmp_path, capsys):
    with tanon_duck.connect(database) as con:
        con.execute(f"copy cases to '{tmp_path}/cases.parquet'")
    words = ["stream", str(tmp_path / "new.duckdb"), "flu", *WORDS, "--upto", "2024-03-20"]
    words[4] = str(tmp_path / "cases.parquet")
    assert cli.main([*words, "--dry-run"]) == 0
    assert "flu: would be seen up to 2024-03-20" in capsys.readouterr().out
    assert not (tmp_path / "new.duckdb").exists()


@pytest.mark.parametrize(
    "options", [[], ["--upto", "2024-03-20", "--finish"], ["--upto", "2024-03-20", "-o", "x.csv"]]
)
def test_it_writes_nothing_and_needs_to_know_what_for(database, capsys, options):
    words = ["stream", str(database), "flu", *WORDS, *options, "--dry-run"]
    assert cli.main(words) == 1
    assert (
        "--dry-run and --sql must be given with one of --upto and --finish"
        in capsys.readouterr().err
    )


@pytest.mark.parametrize(
    "spoil",
    [
        "update flu.state_open set records = records + 1 where rowid = 0",
        "delete from flu.state_open",
        "update flu.state_plan set records = records - 1 where rowid = 0",
        "insert into flu.state_open values ('flu', 19783, null, 1)",
    ],
)
def test_verify_proves_that_every_record_is_somewhere_once(demo_con, spoil):
    stream = publication(demo_con, "flu", "cases", **BEGIN)
    stream.advance("2024-03-20")
    stream.verify()
    demo_con.execute(spoil)
    with pytest.raises(TanonError, match="every record must be released, suppressed or waiting"):
        stream.verify()


def test_a_delivery_says_what_would_leave_and_writes_nothing(demo_con, tmp_path):
    stream = publication(demo_con, "flu", "cases", **BEGIN, allow_identifying=["age"])
    stream.advance("2024-03-10")
    for whole in (False, False, True):
        before = everything(demo_con)
        would = stream.deliver(tmp_path, whole, dry_run=True)
        assert everything(demo_con) == before
        there = {path.name for path in tmp_path.iterdir()}
        assert stream.deliver(tmp_path, whole) == would
        assert {path.name for path in tmp_path.iterdir()} == there | {w.folder.name for w in would}
    assert [w.number for w in would] == [2]


def test_a_plan_of_a_killed_process_is_part_of_what_would_leave(demo_con, tmp_path, monkeypatch):
    stream = publication(demo_con, "flu", "cases", **BEGIN, allow_identifying=["age"])
    stream.advance("2024-03-10")

    def killed(*given):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(delivering, "_write_folder", killed)
        stream.deliver(tmp_path)
    stream.advance("2024-03-20")
    would = stream.deliver(tmp_path, dry_run=True)
    assert [w.number for w in would] == [1, 2]
    assert stream.deliver(tmp_path) == would


def test_from_the_command_line_a_delivery_is_told_and_not_made(database, tmp_path, capsys):
    folder = tmp_path / "out"
    folder.mkdir()
    words = ["stream", str(database), "flu"]
    assert cli.main([*words, *WORDS, "--upto", "2024-03-20"]) == 0
    capsys.readouterr()
    before = database.read_bytes()
    assert cli.main([*words, "--deliver", str(folder), "--dry-run"]) == 0
    assert database.read_bytes() == before
    assert list(folder.iterdir()) == []
    would = capsys.readouterr().out
    assert cli.main([*words, "--deliver", str(folder)]) == 0
    assert would.replace("would be ", "") == capsys.readouterr().out
    assert would == "flu-000001: would be 175 rows up to 2024-03-17\n"
    for more in (["--sql"], ["--upto", "2024-03-30"], ["--ts", "day"]):
        assert cli.main([*words, "--deliver", str(folder), "--dry-run", *more]) == 1
        assert "--dry-run with --deliver and no other step" in capsys.readouterr().err


def test_a_publication_that_was_only_begun_says_so_and_goes_on(database, capsys):
    """What a process leaves that is killed between the beginning and the first step."""
    words = ["stream", str(database), "flu"]
    with tanon_duck.connect(database) as con:
        publication(con, "flu", "cases", **BEGIN)
    assert cli.main(words) == 0
    told = capsys.readouterr().out.splitlines()
    assert told == [
        "flu: seen up to nothing yet, released up to nothing yet; 0 records in, 0 published, "
        "0 suppressed; 0 deliveries",
        "  next: --upto SNAPSHOT reads the complete snapshots up to it",
    ]
    assert cli.main([*words, "--upto", "2024-03-20"]) == 0
    assert cli.main(words) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[1].startswith("flu: seen up to 2024-03-20, released up to 2024-03-17; ")
    assert [line.split()[1] for line in told[2:]] == ["--upto", "--finish", "--deliver"]
    assert cli.main([*words, "--finish"]) == 0
    assert cli.main(words) == 0
    told = capsys.readouterr().out.splitlines()
    assert "finished" in told[1]
    assert [line.split()[1] for line in told[2:]] == ["--deliver"]
