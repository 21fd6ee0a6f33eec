"""tanon-duck stream: the same from the command line."""

import os
from pathlib import Path

import duckdb
import pytest
from publication.streams import published, whole
from terminals import CTRL_C, terminal_of

import tanon_duck
from tanon_duck import cli, demo
from tanon_duck.publishing.pair import OutputPair

BEGIN = [
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

# A command whose step runs a query without end, after its first statement or in its last one.
ENDLESS = """
from tanon_duck import cli
from tanon_duck.publishing.tables import Tables
step = Tables.{step}
def endless(tables, *arguments, **named):
    step(tables, *arguments, **named)
    print("now", flush=True)
    tables.connection.execute("select count(*) from range(100000000000)")
Tables.{step} = endless
raise SystemExit(cli.main({words!r}))
"""


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "cases.duckdb"
    with tanon_duck.connect(path) as con:
        demo.create_tables(con)
    return str(path)


def test_one_that_was_begun_by_a_mistake_can_be_begun_anew(database, capsys):
    begin = ["stream", database, "flu", *BEGIN, "--w", "4"]
    assert cli.main([*begin, "--l", "2", "--upto", "2124-03-02"]) == 1
    assert cli.main([*begin, "--l", "3", "--upto", "2024-03-02"]) == 1
    said = (
        "as 'flu' was begun with, got '3'; it has read no snapshot yet; to begin it again, run "
        'drop schema "flu" cascade'
    )
    assert said in capsys.readouterr().err
    with tanon_duck.connect(database) as con:
        con.execute('drop schema "flu" cascade')
    assert cli.main([*begin, "--l", "3", "--upto", "2024-03-08"]) == 0
    assert cli.main([*begin, "--l", "2", "--upto", "2024-03-09"]) == 1
    assert "begun with, got '2'\n" in capsys.readouterr().err


def test_begin_advance_finish_and_write(database, tmp_path, capsys):
    begin = ["stream", database, "flu", *BEGIN, "--l", "2", "--w", "4", "--upto", "2024-03-02"]
    assert cli.main(begin) == 0
    assert cli.main(["stream", database, "flu", "--upto", "2024-04-11", "--verify"]) == 0
    target = tmp_path / "flu.parquet"
    assert cli.main(["stream", database, "flu", "--finish", "-o", str(target)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "flu: seen up to 2024-03-02, released up to nothing yet; "
        "14 records in, 0 published, 0 suppressed",
        "flu: seen up to 2024-04-11, released up to 2024-04-08; "
        "454 records in, 398 published, 25 suppressed",
        "flu: seen up to 2024-04-11, released up to 2024-04-11; "
        "0 records in, 34 published, 11 suppressed",
    ]
    with tanon_duck.connect(database) as con:
        assert published(con) == whole(con)
        written = con.execute(f"select * from '{target}' order by all").fetchall()
        assert written == published(con)[0]
    with duckdb.connect(database) as plain:
        assert plain.execute("select count(*) from flu.released").fetchall() == [(432,)]


def test_the_file_may_have_the_name_of_the_publication(database, tmp_path, capsys):
    path, target = tmp_path / "flu.duckdb", tmp_path / "released.parquet"
    (tmp_path / "cases.duckdb").rename(path)
    begin = ["stream", str(path), "flu", *BEGIN, "--l", "2", "--w", "4", "--upto", "2024-04-11"]
    assert cli.main([*begin, "-o", str(target)]) == 0
    assert capsys.readouterr().out.endswith("398 published, 25 suppressed\n")
    assert duckdb.sql(f"select count(*) from '{target}'").fetchall() == [(398,)]


def test_errors_are_one_sentence(database, capsys):
    assert cli.main(["stream", database, "flu", *BEGIN, "--w", "4"]) == 1
    assert capsys.readouterr().err == (
        "tanon-duck: tanon.publication: l must be given to begin 'flu', got none\n"
    )
    assert cli.main(["stream", database, "flu", *BEGIN, "--l", "2", "--w", "4"]) == 0
    assert cli.main(["stream", database, "fly", "--upto", "2024-03-08"]) == 1
    assert capsys.readouterr().err.endswith("; did you mean 'flu'?\n")
    assert cli.main(["stream", database, "flu", "-o", "x.txt"]) == 1
    assert "tanon.publication: x.txt must end in one of " in capsys.readouterr().err


def test_to_go_on_in_a_file_that_is_not_there_makes_none(tmp_path, capsys):
    path = tmp_path / "cses.duckdb"
    assert cli.main(["stream", str(path), "flu", "--upto", "2024-03-08"]) == 1
    assert capsys.readouterr().err == f"tanon-duck: there is no file {path}\n"
    assert not path.exists()


def test_a_file_of_data_keeps_no_publication(database, tmp_path, capsys):
    path = tmp_path / "cases.parquet"
    with tanon_duck.connect(database) as con:
        con.execute(f"copy cases to '{path}'")
    begin = ["stream", str(path), "flu", *BEGIN, "--l", "2", "--w", "4", "--upto", "2024-03-08"]
    assert cli.main(begin) == 1
    assert capsys.readouterr().err == (
        f"tanon-duck: {path} is not a DuckDB database: nothing can be kept in it\n"
    )


def test_rows_on_standard_output_are_alone_there(database, capsys):
    begin = ["stream", database, "flu", *BEGIN, "--l", "2", "--w", "4", "--upto", "2024-03-08"]
    assert cli.main([*begin, "-o", "-"]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[0] == "day,person,age,district,disease"
    assert len(said.out.splitlines()) == 1 + 48
    assert said.err.startswith("flu: seen up to 2024-03-08")
    assert "only the owner may read them" in said.err


def test_the_usage_names_the_command(capsys):
    with pytest.raises(SystemExit):
        cli.main(["stream", "--help"])
    assert capsys.readouterr().out.startswith("usage: tanon-duck stream [-h]")


def test_an_output_is_replaced_only_with_force(database, tmp_path, capsys):
    target = tmp_path / "flu.csv"
    begin = ["stream", database, "flu", *BEGIN, "--l", "2", "--w", "4", "--upto", "2024-03-08"]
    assert cli.main([*begin, "-o", str(target)]) == 0
    first = target.read_text()
    again = ["stream", database, "flu", "--upto", "2024-03-20", "-o", str(target)]
    assert cli.main(again) == 1
    assert "exists already" in capsys.readouterr().err
    assert target.read_text() == first
    assert cli.main([*again, "--force"]) == 0
    assert target.read_text().startswith(first[:40])
    assert len(target.read_text()) > len(first)
    assert [p.name for p in tmp_path.iterdir() if p.suffix == ".part"] == []


WHOLE = ["--l", "2", "--w", "4", "--upto", "2024-04-11", "--finish"]


def test_the_pair_for_others_is_written(database, tmp_path, capsys):
    people, diseases = tmp_path / "people.csv", tmp_path / "diseases.parquet"
    pair = ["--individuals", str(people), "--values", str(diseases)]
    assert cli.main(["stream", database, "flu", *BEGIN, *WHOLE, *pair]) == 0
    assert capsys.readouterr().err == ""
    with tanon_duck.connect(database) as con:
        stream = tanon_duck.publication(con, "flu")
        assert con.execute(f"from '{people}'").fetchall() == stream.individuals().fetchall()
        assert con.execute(f"from '{diseases}'").fetchall() == stream.values().fetchall()
        secret = con.execute("select secret from flu.state").fetchall()[0][0]
    assert secret not in people.read_text()
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "cases.duckdb",
        "diseases.parquet",
        "people.csv",
    ]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--individuals", "p.csv"], "must be given together, because one table is useless"),
        (["--values", "d.csv"], "must be given together, because one table is useless"),
        (["--individuals", "p.csv", "--values", "p.csv"], "must be two files, got p.csv twice"),
        (["--individuals", "p.csv", "--values", "-"], "must be two files, got -"),
        (["--individuals", "p.csv", "--values", "d.txt"], "d.txt must end in one of"),
        (["--individuals", "p.csv", "--values", "old.csv"], "old.csv exists already"),
        (["--individuals", "p.csv", "--values", "no/d.csv"], "there is no folder no"),
    ],
)
def test_a_pair_that_cannot_be_is_refused_before_any_work(
    database, tmp_path, capsys, monkeypatch, given, message
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.csv").write_text("mine")
    assert cli.main(["stream", database, "flu", *BEGIN, *WHOLE, *given]) == 1
    assert message in capsys.readouterr().err
    assert (tmp_path / "old.csv").read_text() == "mine"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["cases.duckdb", "old.csv"]
    with tanon_duck.connect(database) as con:
        assert con.execute("from duckdb_schemas() where schema_name = 'flu'").fetchall() == []


def test_a_pair_is_whole_or_not_there(database, tmp_path, capsys, monkeypatch):
    """A file that appears while both are written stays as it is, and neither is there."""
    people, diseases = tmp_path / "people.csv", tmp_path / "diseases.csv"
    pair = ["--individuals", str(people), "--values", str(diseases)]
    monkeypatch.setattr(OutputPair, "check", lambda self: None)
    diseases.write_text("mine")
    assert cli.main(["stream", database, "flu", *BEGIN, *WHOLE, *pair]) == 1
    assert not people.exists()
    assert diseases.read_text() == "mine"
    monkeypatch.undo()
    assert cli.main(["stream", database, "flu", *pair, "--force"]) == 0
    assert diseases.read_text().startswith("day,a_group,disease,records")


@pytest.mark.parametrize("qi", [["age", "district"], ["age,district"], ["age", "--qi=district"]])
def test_quasi_identifiers_are_listed_as_everywhere(database, qi, capsys):
    begin = [*BEGIN[:-2], *qi, "--l", "2", "--w", "4"]
    assert cli.main(["stream", database, "flu", *begin]) == 0
    with tanon_duck.connect(database) as con:
        assert tanon_duck.publication(con, "flu").parameters.qi == ("age", "district")


def test_released_rows_are_said_to_be_for_the_owner(database, tmp_path, capsys):
    target = str(tmp_path / "released.csv")
    assert cli.main(["stream", database, "flu", *BEGIN, *WHOLE, "-o", target]) == 0
    assert (
        "only the owner may read them; pass --individuals and --values" in capsys.readouterr().err
    )


def test_upto_beyond_the_source_and_accept(database, capsys):
    begin = [
        "stream",
        database,
        "flu",
        *BEGIN,
        "--l",
        "2",
        "--w",
        "4",
        "--allow-identifying",
        "age",
    ]
    assert cli.main([*begin, "--upto", "2025-01-01"]) == 1
    assert "upto must be at most 2024-04-11, the last time in source" in capsys.readouterr().err
    assert cli.main([*begin, "--upto", "2025-01-01", "--beyond-source"]) == 0


def test_there_is_no_secret_on_the_command_line(database, capsys):
    for words in (
        ["stream", database, "flu"],
        ["publish_table_pair", "x.csv"],
        ["diverse_groups", "x"],
    ):
        with pytest.raises(SystemExit):
            cli.main([*words, "--secret", "1f" * 32])
        with pytest.raises(SystemExit):
            cli.main([words[0], "--help"])
        assert "--secret" not in capsys.readouterr().out


def test_two_commands_need_one_secret(tmp_path, capsys, monkeypatch):
    monkeypatch.delenv("TANON_SECRET")
    call = [
        "publish_table_pair",
        str(tmp_path / "no.csv"),
        "--qi",
        "age",
        "--sensitive",
        "s",
        "-l",
        "2",
    ]
    assert cli.main([*call, "--result", "values"]) == 1
    assert capsys.readouterr().err == (
        "tanon-duck: tanon.publish_table_pair: TANON_SECRET must be set to one secret for both "
        "tables, as two commands would draw two; tanon-duck stream --individuals --values writes "
        "both at once\n"
    )


def rows_of(database):
    with duckdb.connect(database, read_only=True) as con:
        tables = con.execute("select table_name from duckdb_tables() where schema_name = 'flu'")
        names = sorted(name for (name,) in tables.fetchall())
        return {name: con.execute(f"from flu.{name} order by all").fetchall() for name in names}


@pytest.mark.parametrize("step", ["arrivals", "account"])
def test_ctrl_c_ends_a_step_with_one_sentence_and_takes_it_back(database, tmp_path, step):
    begin = ["stream", database, "flu", *BEGIN, "--l", "2", "--w", "4", "--upto", "2024-03-02"]
    assert cli.main(begin) == 0
    before = rows_of(database)
    words = ["stream", database, "flu", "--upto", "2024-04-11", "-o", "out.csv"]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    code = ENDLESS.format(words=words, step=step)
    with terminal_of(code, environment, tmp_path, status=1) as terminal:
        terminal.expect("now")
        terminal.type(CTRL_C)
        rest = terminal.rest()
    said = (
        "tanon-duck: interrupted; flu contains every step that was complete, and no part of another"
    )
    assert rest.replace("^C", "").split() == said.split()  # the terminal shows ^C when it likes
    assert rows_of(database) == before
    assert [p.name for p in tmp_path.iterdir()] == ["cases.duckdb"]
    assert cli.main(words[:-2]) == 0


def test_ctrl_c_outside_a_query_ends_a_command_with_one_sentence(capsys, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("tanon_duck.interfaces.stock_shell.script", interrupted)
    assert cli.main(["script"]) == 130
    assert capsys.readouterr().err == "tanon-duck: interrupted\n"
