"""tanon-duck publish: the same from the command line."""

import duckdb
import pytest
from publication.streams import published, whole

import tanon_duck
from tanon_duck import cli, demo

BEGIN = ["--source", "cases", "--ts", "day", "--sa", "disease", "--qi", "age", "district"]


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "cases.duckdb"
    with tanon_duck.connect(path) as con:
        demo.create_tables(con)
    return str(path)


def test_begin_advance_finish_and_write(database, tmp_path, capsys):
    begin = ["publish", database, "flu", *BEGIN, "--l", "2", "--w", "4", "--upto", "2024-03-02"]
    assert cli.main(begin) == 0
    assert cli.main(["publish", database, "flu", "--upto", "2024-04-11", "--verify"]) == 0
    target = tmp_path / "flu.parquet"
    assert cli.main(["publish", database, "flu", "--finish", "-o", str(target)]) == 0
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
    begin = ["publish", str(path), "flu", *BEGIN, "--l", "2", "--w", "4", "--upto", "2024-04-11"]
    assert cli.main([*begin, "-o", str(target)]) == 0
    assert capsys.readouterr().out.endswith("398 published, 25 suppressed\n")
    assert duckdb.sql(f"select count(*) from '{target}'").fetchall() == [(398,)]


def test_errors_are_one_sentence(database, capsys):
    assert cli.main(["publish", database, "flu", *BEGIN, "--w", "4"]) == 1
    assert capsys.readouterr().err == (
        "tanon-duck: tanon.publication: l must be given to begin 'flu', got none\n"
    )
    assert cli.main(["publish", database, "flu", "-o", "x.txt"]) == 1
    assert "tanon.publication: x.txt must end in one of " in capsys.readouterr().err


def test_to_go_on_in_a_file_that_is_not_there_makes_none(tmp_path, capsys):
    path = tmp_path / "cses.duckdb"
    assert cli.main(["publish", str(path), "flu", "--upto", "2024-03-08"]) == 1
    assert capsys.readouterr().err == f"tanon-duck: there is no file {path}\n"
    assert not path.exists()


def test_a_file_of_data_keeps_no_publication(database, tmp_path, capsys):
    path = tmp_path / "cases.parquet"
    with tanon_duck.connect(database) as con:
        con.execute(f"copy cases to '{path}'")
    begin = ["publish", str(path), "flu", *BEGIN, "--l", "2", "--w", "4", "--upto", "2024-03-08"]
    assert cli.main(begin) == 1
    assert capsys.readouterr().err == (
        f"tanon-duck: {path} is not a DuckDB database: nothing can be kept in it\n"
    )


def test_rows_on_standard_output_are_alone_there(database, capsys):
    begin = ["publish", database, "flu", *BEGIN, "--l", "2", "--w", "4", "--upto", "2024-03-08"]
    assert cli.main([*begin, "-o", "-"]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[0] == "day,age,district,disease"
    assert len(said.out.splitlines()) == 1 + 48
    assert said.err.startswith("flu: seen up to 2024-03-08")


def test_the_usage_names_the_command(capsys):
    with pytest.raises(SystemExit):
        cli.main(["publish", "--help"])
    assert capsys.readouterr().out.startswith("usage: tanon-duck publish [-h]")


def test_an_output_is_replaced_only_with_force(database, tmp_path, capsys):
    target = tmp_path / "flu.csv"
    begin = ["publish", database, "flu", *BEGIN, "--l", "2", "--w", "4", "--upto", "2024-03-08"]
    assert cli.main([*begin, "-o", str(target)]) == 0
    first = target.read_text()
    again = ["publish", database, "flu", "--upto", "2024-03-20", "-o", str(target)]
    assert cli.main(again) == 1
    assert "exists already" in capsys.readouterr().err
    assert target.read_text() == first
    assert cli.main([*again, "--force"]) == 0
    assert target.read_text().startswith(first[:40])
    assert len(target.read_text()) > len(first)
    assert [p.name for p in tmp_path.iterdir() if p.suffix == ".part"] == []
