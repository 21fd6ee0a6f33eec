"""Roles, declared once, through every door: Python, TOML, command line, prompt, stock shell."""

import io

import duckdb
import pytest
from every_function.test_doors_agree import run_shell

import tanon_duck
from tanon_duck import TanonError, cli, connect, demo, set_roles
from tanon_duck.interfaces import call_sql, sql_prompt, stock_shell
from tanon_duck.interfaces.role_declarations import read_roles

TOML = """
[visits]
patient = "respondent"
admitted = "time; month, quarter"
zip = "quasi-identifier; prefixes 3"
sex = "quasi-identifier"
diagnosis = "keep"
"""
OLD = {"storage_compatibility_version": "v1.5.0"}
FULL = """from tanon.granularity_metrics('visits', respondent := 'patient', qi := ['zip', 'sex'],
    ts := 'admitted', granularities := ['month', 'quarter'], k := 2)"""
SHORT = "from tanon.granularity_metrics('visits', k := 2)"


@pytest.fixture
def hospital(tmp_path):
    """A database file and the TOML of its table."""
    (tmp_path / "roles.toml").write_text(TOML)
    with connect(tmp_path / "hospital.duckdb", config=OLD) as con:
        demo.create_tables(con)
        con.execute(f"copy visits to '{tmp_path}/visits.parquet'")
    return tmp_path


def test_python_and_toml_say_the_same(hospital, demo_con):
    set_roles(demo_con, "visits", hospital / "roles.toml")
    by_toml = demo_con.execute("from tanon.roles('visits')").fetchall()
    other = set_roles(
        demo_con,
        "visits",
        respondent="patient",
        quasi_identifiers={"zip": "prefixes 3", "sex": ""},
        time={"admitted": ["month", "quarter"]},
        keep=["diagnosis"],
    )
    assert other.fetchall() == by_toml
    assert demo_con.execute(SHORT).fetchall() == demo_con.execute(FULL).fetchall()


def test_what_is_named_is_not_taken_twice(demo_con):
    set_roles(
        demo_con, "visits", respondent="patient", quasi_identifiers=["zip", "sex"], time="admitted"
    )
    for short, full in (
        ("qi := ['sex']", "respondent := 'patient', qi := ['sex'], ts := 'admitted'"),
        ("qi := ['admitted', 'sex']", "respondent := 'patient', qi := ['admitted', 'sex']"),
        ("respondent := 'ZIP'", "respondent := 'ZIP', qi := ['sex'], ts := 'admitted'"),
    ):
        found = demo_con.execute(f"from tanon.k_anonymity('visits', {short})").fetchall()
        source = "visits" if "ts" in full else "(select * from visits)"
        wanted = demo_con.execute(f"from tanon.k_anonymity('{source}', {full})").fetchall()
        assert found == wanted, short


def test_nothing_declared_is_a_sentence(demo_con):
    with pytest.raises(
        duckdb.Error, match=r"tanon\.k_anonymity: respondent must be given or declared for"
    ):
        demo_con.execute("from tanon.k_anonymity('visits')")
    set_roles(demo_con, "visits", sensitive=["diagnosis", "age"], time="admitted")
    with pytest.raises(
        duckdb.Error, match=r"sensitive must be one column, got the 2 .*: age, diagnosis"
    ):
        demo_con.execute("from tanon.l_eligibility('visits', l := 2)")
    with pytest.raises(TanonError, match="roles must name columns of source, got 'pat'"):
        set_roles(demo_con, "visits", respondent="pat")
    with pytest.raises(TanonError, match="columns must be named once, got zip twice"):
        set_roles(demo_con, "visits", keep="zip", drop="zip")
    with pytest.raises(TanonError, match="roles must be those of some columns, got none"):
        set_roles(demo_con, "visits")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[other]\na = 'keep'\n[more]\na = 'keep'", r"must have a section \[visits\], got other"),
        ("a = 5", "a must be a role such as 'respondent', got 5"),
        ("a = ", "is not TOML"),
    ],
)
def test_a_toml_file_that_will_not_do(tmp_path, text, said):
    path = tmp_path / "roles.toml"
    path.write_text(text)
    with pytest.raises(TanonError, match=said):
        read_roles(path, "visits")
    with pytest.raises(TanonError, match="there is no file"):
        read_roles(tmp_path / "none.toml")


def test_a_file_may_have_one_section_or_none(tmp_path):
    path = tmp_path / "roles.toml"
    for text in (
        "zip = 'keep'",
        "[elsewhere]\nzip = 'keep'",
        "[visits]\nzip = 'keep'\n[b]\nx = 'drop'",
    ):
        path.write_text(text)
        assert read_roles(path, "data/visits.csv.gz") == {"zip": "keep"}
        assert read_roles(path, 'main."visits"') == {"zip": "keep"}


def test_all_or_nothing(demo_con):
    """Inside the caller's transaction, and one of its own."""
    demo_con.execute("begin")
    set_roles(demo_con, "visits", respondent="patient")
    demo_con.execute("rollback")
    assert demo_con.execute("select tanon.roles_text()").fetchall() == [([],)]


def test_the_instance_is_read_through_any_open_connection(hospital):
    path = hospital / "hospital.duckdb"
    first = connect(path)
    set_roles(first, "visits", hospital / "roles.toml")
    second, cursor = connect(path), first.cursor()
    wanted = first.execute(FULL).fetchall()
    assert cursor.execute(SHORT).fetchall() == second.execute(SHORT).fetchall() == wanted
    first.close()
    assert second.execute(SHORT).fetchall() == wanted
    second.close()
    with connect(path, read_only=True) as con:
        assert con.execute(SHORT).fetchall() == wanted
        set_roles(con, "visits", {"sex": "drop", "zip": "quasi-identifier"})
        assert con.execute(SHORT).fetchall() != wanted
    duckdb.connect(str(path)).close()  # nothing holds the file


def test_where_no_connection_is_left_to_read_by(hospital):
    first, second = connect(":memory:hospital"), connect(":memory:hospital")
    demo.create_tables(first)
    assert second.execute(FULL).fetchall() == first.execute(FULL).fetchall()
    first.close()
    with pytest.raises(
        duckdb.Error, match=r"the connection that tanon_duck\.connect opened is closed"
    ):
        second.execute(SHORT)
    assert len(second.execute(FULL).fetchall()) == 2
    second.close()


def test_a_preview_and_steps_take_roles(hospital, demo_con):
    set_roles(demo_con, "visits", hospital / "roles.toml")
    assert call_sql.sql_of_call(SHORT, demo_con) == call_sql.sql_of_call(FULL)
    assert tanon_duck.steps(demo_con, "granularity_metrics", source="visits", k=2)[-1].rows == 2
    with pytest.raises(
        TanonError, match="respondent must be given or declared for visits, got neither"
    ):
        tanon_duck.sql("granularity_metrics", source="visits", k=2)


def test_the_command_line(hospital, monkeypatch, capsys):
    monkeypatch.chdir(hospital)
    full = [
        "--respondent",
        "patient",
        "--qi",
        "zip,sex",
        "--ts",
        "admitted",
        "--granularities",
        "month,quarter",
    ]
    assert cli.main(["granularity_metrics", "visits.parquet", *full, "-k", "2"]) == 0
    wanted = capsys.readouterr().out
    roles = ["--roles", "roles.toml"]
    assert cli.main(["granularity_metrics", "visits.parquet", *roles, "-k", "2"]) == 0
    assert capsys.readouterr().out == wanted
    assert cli.main(["granularity_metrics", "visits.parquet", *roles, "-k", "2", "--sql"]) == 0
    assert "patient" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        cli.main(["granularity_metrics", "visits.parquet", "-k", "2"])
    assert "--respondent is missing: the respondent of the row" in capsys.readouterr().err
    database = hospital / "hospital.duckdb"
    before = database.read_bytes()
    assert cli.main(["set_roles", "hospital.duckdb", "visits", "age=drop", "--sql"]) == 0
    told = """begin;\ncomment on column "visits"."age" is '[tanon: drop]';\ncommit;\n"""
    assert (capsys.readouterr().out, database.read_bytes()) == (told, before)
    assert cli.main(["set_roles", "hospital.duckdb", "visits", "--sql"]) == 1
    assert "roles must be those of some columns, got none" in capsys.readouterr().err
    assert cli.main(["set_roles", "hospital.duckdb", "visits", "zip=drop", *roles]) == 0
    assert "zip: drop\nage: no role, stays home\n" in capsys.readouterr().out
    assert cli.main(["set_roles", "hospital.duckdb", "visits", *roles]) == 0
    capsys.readouterr()
    words = ["granularity_metrics", "hospital.duckdb", "--table", "visits", "-k", "2"]
    assert cli.main(words) == 0
    assert capsys.readouterr().out == wanted
    publish = [
        "publish_events",
        "visits.parquet",
        *roles,
        "-k",
        "2",
        "--max-suppression",
        "0.9",
    ]
    assert cli.main(publish) == 0
    told = capsys.readouterr()
    assert told.out.startswith("zip,sex,admitted,diagnosis\n")
    assert "columns not in the release: patient, age" in told.err
    (hospital / "roles.toml").write_text("zpi = 'keep'")
    assert cli.main([words[0], "visits.parquet", *roles, "-k", "2"]) == 1
    assert "got 'zpi'; did you mean 'zip'" in capsys.readouterr().err


def test_the_prompt_runs_the_statements(demo_con):
    lines = ".run from tanon.set_roles('visits', {'patient': 'respondent'})\n"
    lines += "select role from tanon.roles('visits') limit 1;\n"
    output = io.StringIO()
    assert sql_prompt.run_shell(demo_con, input=io.StringIO(lines), output=output) == 0
    assert "1 statements" in output.getvalue() and "respondent" in output.getvalue()


def test_the_stock_shell_has_the_variable(hospital):
    path, script = hospital / "hospital.duckdb", hospital / "tanon.sql"
    script.write_text(stock_shell.script())
    with connect(path) as con:
        set_roles(con, "visits", hospital / "roles.toml")
        wanted = [granularity for granularity, *_ in con.execute(FULL).fetchall()]
    short = f"select granularity from ({SHORT})"
    ran = run_shell("-list", "-noheader", path, "-c", f".read {script}", "-c", short)
    assert (ran.stderr, ran.stdout.split()) == ("", wanted)
    assert cli.main(["install", str(path)]) == 0
    full = run_shell("-list", "-noheader", path, "-c", f"select granularity from ({FULL})")
    assert (full.stderr, full.stdout.split()) == ("", wanted)
    ran = run_shell("-list", path, "-c", short)
    assert "set variable tanon_roles = tanon.roles_text()" in ran.stderr
    set_once = "set variable tanon_roles = tanon.roles_text()"
    ran = run_shell("-list", "-noheader", path, "-c", set_once, "-c", short)
    assert (ran.stderr, ran.stdout.split()) == ("", wanted)
    with connect(path) as con:
        assert [granularity for granularity, *_ in con.execute(SHORT).fetchall()] == wanted


def test_an_installed_file_in_plain_python_has_the_variable(hospital):
    """No tanon_duck there, and no Python functions: what is left out is NULL, or the variable's."""
    path = hospital / "hospital.duckdb"
    assert cli.main(["install", str(path)]) == 0
    call = "from tanon.k_anonymity('visits', qi := ['zip']"
    with duckdb.connect(str(path)) as con:
        (wanted,) = con.execute(f"{call}, respondent := 'patient')").fetchall()
        con.execute("comment on column visits.patient is '[tanon: respondent]'")
        with pytest.raises(duckdb.Error, match="respondent must be given or declared for visits"):
            con.execute(f"{call})")
        con.execute("set variable tanon_roles = tanon.roles_text()")
        assert con.execute(f"{call})").fetchall() == [wanted]


def test_roles_of_a_second_input_are_those_of_the_source(hospital, monkeypatch, capsys):
    """A release is the INPUT; what it was made of has the roles."""
    monkeypatch.chdir(hospital)
    (hospital / "few.toml").write_text('patient = "respondent"\nsex = "quasi-identifier"\n')
    with connect(hospital / "hospital.duckdb", config=OLD) as con:
        con.execute("copy (select sex, diagnosis from visits) to 'release.parquet'")
    call = ["evaluate_events", "release.parquet", "--source", "visits.parquet"]
    assert cli.main([*call, "--qi", "sex", "--queries", "50"]) == 0
    named = capsys.readouterr().out
    assert cli.main([*call, "--roles", "few.toml", "--queries", "50"]) == 0
    assert capsys.readouterr().out == named
    assert cli.main([*call, "--roles", "few.toml", "--queries", "50", "--sql"]) == 0
    assert "sex" in capsys.readouterr().out
