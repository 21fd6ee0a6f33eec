"""The shell door: a script to read, functions kept in a file, and gone without trace."""

import duckdb
import pytest
from every_function.test_doors_agree import run_shell

from tanon_duck import cli, connect, demo, errors
from tanon_duck.interfaces import stock_shell
from tanon_duck.macros import catalog

CALL = "select gen_m from tanon.k_anonymity('visits', 'patient', 'sex')"


def test_the_script_can_be_read_twice(tmp_path):
    path = tmp_path / "tanon.sql"
    assert cli.main(["script", "-o", str(path)]) == 0
    ran = run_shell(text=f".read {path}\n.read {path}\nselect count(*) > 4 from tanon.help();")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "true" in ran.stdout


def test_the_script_leaves_the_file_that_is_open_as_it_is(tmp_path):
    path, script = tmp_path / "hospital.duckdb", tmp_path / "tanon.sql"
    script.write_text(stock_shell.script())
    made = run_shell(path, "-c", "create table visits as select 1 as patient, 'f' as sex")
    assert made.stderr == ""
    before = path.read_bytes()
    for more in ([], ["-readonly"]):
        ran = run_shell(*more, path, "-csv", "-c", f".read {script}", "-c", CALL)
        assert (ran.returncode, ran.stderr, ran.stdout) == (0, "", "gen_m\n1\n")
    assert path.read_bytes() == before
    with connect(path) as con:
        assert con.execute("select tanon.sax([1, 2], 2)").fetchall() == [("ab",)]


def test_values_are_not_taken_for_places_of_a_text(tmp_path):
    """The shell keeps what makes a text as text, in which @1@ is the first argument."""
    script = tmp_path / "tanon.sql"
    script.write_text(stock_shell.script())
    rows = """'(select ''@2@'' as "@1@", 1 as "p@3@")'"""
    call = f"select groups from tanon.k_anonymity({rows}, respondent := 'p@3@', qi := ['@1@'])"
    ran = run_shell("-csv", "-c", f".read {script}", "-c", call)
    assert (ran.returncode, ran.stderr, ran.stdout) == (0, "", "groups\n1\n")
    wrong = f"from tanon.k_anonymity({rows}, respondent := '@1@', qi := ['@2@'])"
    ran = run_shell("-c", f".read {script}", "-c", wrong)
    assert "qi must be columns of source, none twice, got '@2@'; did you mean @1@?" in ran.stderr


def test_install_and_uninstall(tmp_path, capsys):
    path = tmp_path / "hospital.duckdb"
    assert cli.main(["install", str(path)]) == 0
    with duckdb.connect(str(path)) as con:
        demo.create_tables(con)
    assert "149" in run_shell(path, "-c", CALL).stdout
    assert cli.main(["install", str(path)]) == 0
    assert "149" in run_shell(path, "-c", CALL).stdout
    assert cli.main(["uninstall", str(path)]) == 0
    assert "does not exist" in run_shell(path, "-c", CALL).stderr
    with duckdb.connect(str(path)) as con:
        assert con.execute("from duckdb_functions() where not internal").fetchall() == []
        assert con.execute("from duckdb_schemas() where schema_name = 'tanon'").fetchall() == []
        assert con.execute("select count(*) from visits").fetchall() == [(450,)]


def test_install_in_a_file_that_the_stock_shell_made(tmp_path, capsys):
    """By itself it still writes the format of DuckDB 1.0."""
    path = tmp_path / "hospital.duckdb"
    make = "create table visits as select i % 40 as patient, i % 4 as sex from range(100) as r(i)"
    assert run_shell(path, "-c", make).returncode == 0
    assert cli.main(["install", str(path)]) == 0
    assert cli.main(["install", str(path)]) == 0
    call = "select gen_m from tanon.k_anonymity('visits', 'patient', 'sex')"
    assert "10" in run_shell(path, "-c", call).stdout
    assert cli.main(["uninstall", str(path)]) == 0
    assert "100" in run_shell(path, "-c", "select count(*) from visits").stdout


def test_the_script_leaves_installed_functions_alone(tmp_path):
    path, script = tmp_path / "hospital.duckdb", tmp_path / "tanon.sql"
    script.write_text(stock_shell.script())
    stock_shell.install_file(path)
    ran = run_shell(path, "-csv", text=f".read {script}\nselect count(*) > 4 from tanon.help();")
    assert "this database has a schema tanon already: if tanon-duck install made it" in ran.stderr
    assert "true" in ran.stdout
    with connect(path) as con:
        assert con.execute("select tanon.sax([1, 2], 2)").fetchall() == [("ab",)]


def test_the_script_is_refused_where_a_database_named_tanon_is_open(tmp_path):
    path, script = tmp_path / "tanon.duckdb", tmp_path / "tanon.sql"
    script.write_text(stock_shell.script())
    ran = run_shell(path, "-c", f".read {script}")
    assert "a database named tanon hides the functions tanon.<function>: rename" in ran.stderr
    with duckdb.connect(str(path)) as con:
        assert con.execute("from duckdb_functions() where not internal").fetchall() == []


def test_errors_have_the_same_words_in_the_stock_shell(demo_con, tmp_path):
    path = tmp_path / "hospital.duckdb"
    stock_shell.install_file(path)
    with duckdb.connect(str(path)) as con:
        demo.create_tables(con)
    for call in (
        "from tanon.k_anonymity('visits', 'patient', 'sax')",
        "from tanon.k_anonymity('visits', 'patient', [])",
        "from tanon.k_anonymity_violations('visits', 'patient', 'sex', k := 1)",
        "from tanon.k_anonymity('(select null as p, 1 as q)', 'p', 'q')",
    ):
        with pytest.raises(duckdb.Error) as raised:
            demo_con.execute(call).fetchall()
        assert errors.one_line(raised.value) in run_shell(path, "-c", call).stderr


@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_a_file_of_data_keeps_no_functions(tmp_path, capsys, command):
    path = tmp_path / "visits.parquet"
    duckdb.sql("select 1 as a").write_parquet(str(path))
    assert cli.main([command, str(path)]) == 1
    said = capsys.readouterr()
    assert said.err == f"tanon-duck: {path} is not a DuckDB database: nothing can be kept in it\n"
    assert said.out == ""


def test_uninstalling_from_no_file(tmp_path, capsys):
    assert cli.main(["uninstall", str(tmp_path / "none.duckdb")]) == 1
    assert "there is no file" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_command_names_the_nearest(capsys):
    with pytest.raises(SystemExit) as raised:
        cli.main(["demmo"])
    assert raised.value.code == 2
    assert "there is no command 'demmo'; did you mean 'demo'?" in capsys.readouterr().err


def test_the_demo_keeps_its_tables_and_overwrites_nothing(tmp_path, capsys):
    path = tmp_path / "demo.duckdb"
    assert cli.main(["demo", "-o", str(path)]) == 0
    assert "from tanon.k_anonymity(" in capsys.readouterr().out
    with duckdb.connect(str(path)) as con:
        assert con.execute("select count(*) from incomes").fetchall() == [(120,)]
    assert "120" in run_shell(path, "-c", "select count(*) from incomes").stdout
    assert cli.main(["demo", "-o", str(path)]) == 1
    assert "exists already" in capsys.readouterr().err


def test_the_demo_anonymizes_each_of_its_tables(capsys):
    assert cli.main(["demo"]) == 0
    shown = capsys.readouterr().out
    publishers = {"publish_events", "publish_stream", "publish_series"} & set(catalog.functions())
    assert [name for name in publishers if f"from tanon.{name}(" not in shown] == []
