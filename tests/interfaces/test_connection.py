"""The Python door: every way of opening, and nothing written that nobody asked for."""

import hashlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import duckdb
import pytest

import tanon_duck
from tanon_duck import demo
from tanon_duck.interfaces import stock_shell

CALL = "from tanon.k_anonymity('visits', respondent := 'patient', qi := ['sex'])"
ANSWER = [(149, 300, 2, 450, 300)]


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "hospital.duckdb"
    with duckdb.connect(str(path)) as con:
        demo.create_tables(con)
    return path


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_it_is_a_genuine_connection(con):
    assert type(con) is duckdb.DuckDBPyConnection


@pytest.mark.parametrize("read_only", [False, True])
def test_a_file_stays_byte_for_byte_what_it_was(database, read_only):
    before = digest(database)
    with tanon_duck.connect(database, read_only=read_only) as con:
        assert con.execute(CALL).fetchall() == ANSWER
        assert con.cursor().execute(CALL).fetchall() == ANSWER
    assert digest(database) == before
    assert [p.name for p in database.parent.iterdir()] == [database.name]


def test_a_new_file_holds_only_what_the_user_made(tmp_path):
    with tanon_duck.connect(tmp_path / "new.duckdb") as con:
        con.execute("create table t as select 1 as x")
    with duckdb.connect(str(tmp_path / "new.duckdb")) as con:
        assert con.execute("from duckdb_functions() where not internal").fetchall() == []


def test_options_reach_duckdb():
    with tanon_duck.connect(config={"threads": 1, "memory_limit": "100MB"}) as con:
        assert con.execute("select current_setting('threads')").fetchall() == [(1,)]


def test_installing_twice_and_on_cursors_changes_nothing(demo_con):
    listed = "select count(*) from duckdb_functions() where not internal"
    before = demo_con.execute(listed).fetchall()
    tanon_duck.install(demo_con)
    tanon_duck.install(demo_con.cursor())
    assert demo_con.execute(listed).fetchall() == before
    assert demo_con.execute(CALL).fetchall() == ANSWER


def test_a_connection_of_the_user(tmp_path):
    with duckdb.connect(str(tmp_path / "own.duckdb")) as con:
        demo.create_tables(con)
        tanon_duck.install(con)
        assert con.execute(CALL).fetchall() == ANSWER


def test_several_connections_to_one_instance(database):
    first = tanon_duck.connect(database)
    second = tanon_duck.connect(database)
    third = duckdb.connect(str(database))
    assert third.execute(CALL).fetchall() == ANSWER
    first.close()
    assert second.execute(CALL).fetchall() == ANSWER
    second.close()
    tanon_duck.install(third)
    assert third.execute(CALL).fetchall() == ANSWER
    third.close()
    with tanon_duck.connect(database) as con:
        assert con.execute(CALL).fetchall() == ANSWER


@pytest.mark.parametrize("end", ["commit", "rollback"])
def test_a_transaction_of_the_user_is_left_alone(database, end):
    with duckdb.connect(str(database)) as con:
        con.execute("begin")
        con.execute("create table t as select 1 as x")
        tanon_duck.install(con)
        assert con.execute(CALL).fetchall() == ANSWER
        con.execute(end)
        assert con.execute(CALL).fetchall() == ANSWER
        made = con.execute("from duckdb_tables() where table_name = 't'").fetchall()
        assert bool(made) == (end == "commit")


def test_an_aborted_transaction_is_no_obstacle(demo_con):
    demo_con.execute("begin")
    with pytest.raises(duckdb.Error):
        demo_con.execute("select * from nowhere")
    tanon_duck.install(demo_con)
    demo_con.execute("rollback")
    assert demo_con.execute(CALL).fetchall() == ANSWER


def test_a_pending_result_is_no_obstacle(demo_con):
    demo_con.execute("from range(100000)")
    tanon_duck.install(demo_con)
    assert len(demo_con.fetchall()) == 100000


def test_another_current_database(demo_con, tmp_path):
    demo_con.execute(f"attach '{tmp_path / 'other.duckdb'}' as other; use other")
    demo_con.execute("create table visits as from memory.visits")
    assert demo_con.execute(CALL).fetchall() == ANSWER


def test_threads_with_a_cursor_each(demo_con):
    demo_con.execute("set threads = 4")

    def ask(_):
        with demo_con.cursor() as cursor:
            return cursor.execute(CALL).fetchall()

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(40))) == [ANSWER] * 40


def test_threads_that_each_connect(database):
    def ask(_):
        with tanon_duck.connect(database, read_only=True) as con:
            return con.execute(CALL).fetchall()

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(24))) == [ANSWER] * 24


def test_a_file_with_installed_functions(database):
    stock_shell.install_file(database)
    before = digest(database)
    for read_only in (False, True):
        with tanon_duck.connect(database, read_only=read_only) as con:
            assert con.execute(CALL).fetchall() == ANSWER
            attached = con.execute(
                "select database_name from duckdb_databases() where not internal"
            )
            assert attached.fetchall() == [("hospital",)]
    assert digest(database) == before


def test_a_file_with_functions_of_another_version_says_what_to_type(database, monkeypatch):
    stock_shell.install_file(database)
    monkeypatch.setattr("tanon_duck.interfaces.connection.__version__", "99.1")
    with pytest.raises(tanon_duck.TanonError) as raised:
        tanon_duck.connect(database)
    assert str(raised.value) == (
        f"{database} carries tanon functions of version 0.1.0, this is tanon_duck 99.1: "
        f"type `tanon-duck install {database}` to renew them or "
        f"`tanon-duck uninstall {database}` to take them out"
    )


def test_a_schema_of_the_user_with_our_name(database):
    with duckdb.connect(str(database)) as con:
        con.execute("create schema tanon; create table tanon.precious as select 1 as x")
    for attempt in (tanon_duck.connect, stock_shell.install_file, stock_shell.uninstall_file):
        with pytest.raises(tanon_duck.TanonError, match="schema named tanon that is not of this"):
            attempt(database)
    with duckdb.connect(str(database)) as con:
        assert con.execute("from tanon.precious").fetchall() == [(1,)]


def test_a_file_named_tanon(tmp_path):
    with pytest.raises(tanon_duck.TanonError, match="a database named tanon hides the functions"):
        tanon_duck.connect(tmp_path / "tanon.duckdb")


@pytest.mark.parametrize(
    "ending",
    ["", "con.close()", "cursor = con.cursor()", "r = con.sql(CALL)", "raise SystemExit(3)"],
)
def test_nothing_on_stderr_at_exit(database, ending):
    code = (
        f"import tanon_duck\nCALL = {CALL!r}\ncon = tanon_duck.connect({str(database)!r})\n"
        f"print(con.execute(CALL).fetchall())\n{ending}\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.stderr == ""
    assert ran.stdout == f"{ANSWER}\n"


def test_a_connection_that_goes_out_of_scope_frees_its_file(database):
    def use():
        tanon_duck.connect(database).execute(CALL).fetchall()

    use()
    code = f"import duckdb; duckdb.connect({str(database)!r}).execute('create table free (x int)')"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.stderr == ""
