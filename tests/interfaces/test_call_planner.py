"""The instance that makes the texts of calls: one a process, which nothing can be reached from."""

import multiprocessing
import re

import duckdb
import pytest
from every_function.examples import FUNCTIONS, example

import tanon_duck
from tanon_duck import connect
from tanon_duck.interfaces import built_files, call_planner, call_sql
from tanon_duck.macros import catalog, create_statements
from tanon_duck.udfs import _registry as python_functions

CALL = "from tanon.k_anonymity('visits', respondent := 'patient', qi := ['sex'])"


@pytest.fixture
def no_texts():
    """A process that has made no text yet."""
    call_planner.text_of.cache_clear()
    yield
    call_planner.text_of.cache_clear()


def test_the_last_texts_are_kept(demo_con, no_texts):
    first = demo_con.execute(CALL).fetchall()
    made = call_planner.text_of.cache_info().misses
    assert made > 0
    assert demo_con.execute(CALL).fetchall() == first
    assert call_planner.text_of.cache_info().misses == made


def test_texts_hang_on_nothing_but_the_arguments(con):
    """One text, and two tables of one name."""
    for rows in (5, 7):
        con.execute(f"create or replace table t as select i as u, 'x' as q from range({rows}) _(i)")
        found = con.execute(
            "select gen_m from tanon.k_anonymity('t', respondent := 'u', qi := ['q'])"
        )
        assert found.fetchall() == [(rows,)]


ASK = "select _tanon_text_of($macro, $given).answer"


@pytest.mark.parametrize("macro", ["k_anonymity", "_unless", "_text_of_x(1); select y", ""])
def test_no_other_macro_is_asked_for(con, macro):
    with pytest.raises(duckdb.Error, match="no macro makes texts that is called"):
        con.execute(ASK, {"macro": macro, "given": "null, 'x'"}).fetchall()


def test_arguments_are_one_expression_and_no_second_statement(con):
    given = "'t', 'u', 'q', null, null, null, null, null"
    ask = {"macro": "_text_of_k_anonymity", "given": given}
    assert "tanon_source" in con.execute(ASK, ask).fetchall()[0][0]
    ask["given"] = f"{given}); create table left_behind as (select 1"
    with pytest.raises(duckdb.Error, match="ValueError"):
        con.execute(ASK, ask).fetchall()
    with call_planner._instance().cursor() as instance:
        names = instance.execute("select table_name from duckdb_tables()").fetchall()
        assert names == [("plans",)]


def test_arguments_without_end_are_refused_before_they_are_bound(con):
    con.execute("create table t as select 1 as u")
    names = [f"c{i}" for i in range(100_000)]
    wanted = (
        r"tanon.k_anonymity: arguments must be at most 500,000 letters .* got 1?[0-9]{3},[0-9]{3}"
    )
    with pytest.raises(duckdb.InvalidInputException, match=wanted):
        con.execute("from tanon.k_anonymity('t', respondent := 'u', qi := $1)", [names])


def test_no_file_can_be_read_from_there(tmp_path):
    path = tmp_path / "secret.csv"
    path.write_text("a\nsecret\n")
    with call_planner.opened() as instance:
        assert instance.execute("select current_setting('threads')").fetchall() == [(1,)]
        for statement in (
            f"from '{path}'",
            f"copy (select 1) to '{path}'",
            f"attach '{tmp_path}/x.duckdb'",
            "set enable_external_access = true",
            "install httpfs",
        ):
            with pytest.raises(duckdb.Error):
                instance.execute(statement)
    assert path.read_text() == "a\nsecret\n"


@pytest.fixture(scope="module")
def installed():
    """The functions as a database carries them, which makes its texts in SQL."""
    with duckdb.connect() as connection:
        python_functions.register(connection)
        connection.execute("attach ':memory:' as tanon")
        connection.execute(built_files.in_one_transaction(create_statements.install_statements()))
        yield connection


@pytest.mark.quick
@pytest.mark.parametrize("name", [n for n in FUNCTIONS if not catalog.function(n).is_scalar])
def test_sql_and_python_make_the_same_text(name, installed):
    begun = re.search(rf"\btanon\.{name}\s*\(", example(name))
    function, given = call_sql._parsed(example(name)[begun.start() :])
    values = call_planner.call(function, given)["given"]
    made = installed.execute(f"select tanon._text_of_{name}({values})").fetchall()
    assert made == [(call_planner.planned(name, values).text(),)]


def test_a_process_that_forked_makes_its_own(demo_con):
    assert demo_con.execute(CALL).fetchall()
    call_planner.text_of.cache_clear()
    with multiprocessing.get_context("fork").Pool(1) as pool:
        (answer,) = pool.map(_answer, [CALL])
    assert answer == demo_con.execute(CALL).fetchall()


def _answer(call):
    with tanon_duck.connect() as con:
        tanon_duck.demo.create_tables(con)
        return con.execute(call).fetchall()


def test_a_connection_holds_none_of_what_makes_texts(con):
    names = "select function_name from duckdb_functions() where database_name = 'tanon'"
    held = {name for (name,) in con.execute(names).fetchall()}
    assert not [n for n in held if n.startswith(("_text_of_", "_facts_of_", "_by_roles_to_"))]
    assert sum(map(len, create_statements.connection_statements())) < 0.4 * sum(
        map(len, create_statements.install_statements())
    )


def test_what_is_installed_gives_the_same(demo_con, tmp_path):
    """A database that carries the functions makes its texts itself."""
    path = tmp_path / "carries.duckdb"
    with connect(path) as other:
        tanon_duck.demo.create_tables(other)
    from tanon_duck.interfaces import stock_shell

    stock_shell.install_file(path)
    with connect(path) as other:
        attached = "select count(*) from duckdb_databases() where database_name = 'tanon'"
        assert other.execute(attached).fetchall() == [(0,)]
        assert other.execute(CALL).fetchall() == demo_con.execute(CALL).fetchall()
