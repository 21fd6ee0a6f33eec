"""Whoever writes the data file puts macros into it that stand in for what the checks call."""

import re
from functools import cache

import duckdb
import pytest

import tanon_duck
from tanon_duck import TanonError, demo
from tanon_duck.interfaces import stock_shell
from tanon_duck.macros import create_statements
from tanon_duck.udfs import _registry as python_functions

# Macros by the names of built-ins: each makes a check count nothing, find nothing or say nothing.
FUNCTIONS = [
    "error(x) as null",
    "count(x := 1) as 1000000",
    "count_star() as 1000000",
    "sum(x) as 1000000",
    "max(x) as 0",
    "min(x) as 1000000",
    "bool_and(x) as true",
    "bool_or(x) as true",
    "list_distinct(x) as x",
    "list_contains(x, y) as true",
    "regexp_matches(x, y) as true",
    "sha256(x) as repeat('0', 64)",
    "typeof(x) as 'VARCHAR'",
    "query(x) as table select 1 as nothing where false",
    "unnest(x) as table select 1 as nothing where false",
]
# What DuckDB calls for operators and other syntax, which has no catalogue in front.
OPERATORS = [
    '"||"(x, y) as null',
    '"+"(x, y) as 1000000',
    '"-"(x, y := 0) as 0',
    '"//"(x, y) as 1000000',
    '"~~"(x, y) as true',
    '"if"(x, y, z) as y',
    "to_days(x) as null",
    "struct_extract(x, y) as null",
    "list_filter(x, y) as x",
    "regexp_full_match(x, y) as true",
]
# Those of them by which a check passes that must not.
SILENCING = ["error", "count_star", "max", "min", "bool_or", "query", '"-"', '"//"']
PLACES = ["main", "another database", "another schema"]
QUESTIONS = {
    "violations": "select count(*) from tanon.k_anonymity_violations("
    "'tables.visits', respondent := 'patient', qi := ['zip', 'age'], k := 5)",
    "a wrong column": "select count(*) from tanon.k_anonymity_violations("
    "'tables.visits', respondent := 'patient', qi := ['nothing'], k := 5)",
    "a wrong k": "select count(*) from tanon.k_anonymity_violations("
    "'tables.visits', respondent := 'patient', qi := ['zip'], k := 0)",
    "no person": "select count(*) from tanon.k_anonymity('(select null as p, 1 as q)', 'p', ['q'])",
    "eligible": "select count(*) filter (eligible) from tanon.l_eligibility("
    "'tables.cases', respondent := 'person', ts := 'day', sensitive := 'disease', l := 2)",
    "the secret": "select tanon._keyed(tanon._key(repeat('5eed', 16), 'f', ['x']), 'row')",
}


def answers(con, tables="tables", operators=False):
    """What each question is answered, or in which words it is refused; asked by clean SQL."""
    found = {}
    for name, question in QUESTIONS.items():
        if operators and name == "the secret":
            continue  # an expression: what hands it out asks first
        question = question.replace("tables.", f"{tables}.")
        question = question.replace("count(*)", "system.main.count(*)").replace(
            "repeat(", "system.main.repeat("
        )
        try:
            found[name] = con.execute(question).fetchall()
        except duckdb.Error as error:
            found[name] = str(error).partition("\n")[0]
    return found


def with_tables(con):
    con.execute("attach ':memory:' as tables")
    con.execute("use tables")
    demo.create_tables(con)
    con.execute("use memory")


@pytest.fixture(scope="module")
def unguarded(tmp_path_factory):
    """The same functions as they would be without the catalogue in front of what they call."""
    path = tmp_path_factory.mktemp("unguarded") / "functions.duckdb"
    with duckdb.connect() as con:
        python_functions.register(con)
        con.execute(f"attach '{path}' as tanon")
        for statement in create_statements.install_statements():
            if "macro tanon._replaced()" in statement:
                statement = "create macro tanon._replaced() as null::varchar"
            con.execute(statement.replace("system.main.", ""))
    return path


@pytest.fixture(scope="module")
def honest():
    with tanon_duck.connect() as con:
        with_tables(con)
        found = answers(con)
    assert found["violations"][0][0] > 0
    assert "must be columns of source" in found["a wrong column"]
    return found


def attack(con, macro, place):
    """Put the macro where unqualified names are looked up first."""
    if place == "main":
        con.execute(f"create macro {macro}")
    elif place == "another database":
        con.execute("attach ':memory:' as evil")
        con.execute(f"create macro evil.main.{macro}")
        con.execute("use evil")
    else:
        con.execute("create schema evil")
        con.execute(f"create macro evil.{macro}")
        con.execute("set search_path = 'evil'")


def only_refused_more(found, honest):
    return all(a == honest[name] or isinstance(a, str) for name, a in found.items())


@pytest.mark.parametrize("place", PLACES)
def test_functions_replaced_after_connecting_change_no_answer(place, honest):
    for macro in FUNCTIONS if place == "main" else FUNCTIONS[:3]:
        with tanon_duck.connect() as con:
            with_tables(con)
            attack(con, macro, place)
            assert answers(con) == honest, macro


@pytest.mark.parametrize("place", PLACES)
def test_operators_replaced_after_connecting_are_noticed(place, honest):
    for macro in OPERATORS if place == "main" else OPERATORS[:2]:
        with tanon_duck.connect() as con:
            with_tables(con)
            attack(con, macro, place)
            found = answers(con, operators=True)
            assert only_refused_more(found, honest), macro
            assert found["violations"] != honest["violations"], macro


def test_macros_that_lie_in_the_file(tmp_path, honest):
    path = tmp_path / "data.duckdb"
    with duckdb.connect(str(path)) as con:
        for macro in (FUNCTIONS[0], FUNCTIONS[2], *FUNCTIONS[4:6]):
            con.execute(f"create macro {macro}")
    for read_only in (False, True):
        with tanon_duck.connect(path, read_only=read_only) as con:
            if not read_only:
                demo.create_tables(con)
            assert answers(con, "main") == honest
    with duckdb.connect(str(path)) as con:
        con.execute(f"create macro {OPERATORS[0]}")
    with tanon_duck.connect(path) as con, pytest.raises(duckdb.Error, match="got a macro for one"):
        con.execute(QUESTIONS["violations"].replace("tables.", "main."))


def test_control_without_a_guard_each_silences_a_check(unguarded, honest):
    for macro in FUNCTIONS + OPERATORS:
        if macro.partition("(")[0] not in SILENCING:
            continue
        with duckdb.connect() as con:
            python_functions.register(con)
            con.execute(f"attach '{unguarded}' as tanon (read_only)")
            with_tables(con)
            attack(con, macro, "main")
            assert not only_refused_more(answers(con), honest), macro


def test_control_without_a_guard_the_answers_are_the_same(unguarded, honest):
    with duckdb.connect() as con:
        python_functions.register(con)
        con.execute(f"attach '{unguarded}' as tanon (read_only)")
        with_tables(con)
        assert answers(con) == honest


@cache
def a_step():
    """Return the head of a private macro that stands for a step."""
    heads = (
        re.match(r"create or replace macro tanon\.(_step_\w+\([^)]*\)) as", statement)
        for statement in create_statements.install_statements()
    )
    return next(head[1] for head in heads if head)


FORGERIES = {
    "a function": "create or replace macro tanon.k_anonymity_violations"
    "(source, respondent, qi, ts := null, granularity := null, k := 2, calendar := null, tz := "
    "null)"
    " as table select 1 as nothing where false",
    "a private function": "create or replace macro tanon._unless(message, text) as text",
    "a step": "create or replace macro tanon.{step} as ''::varchar",
    "one more function": "create macro tanon.more(x) as x",
    "a version that does more": "create or replace macro tanon.version() as '0.1.0' || ''",
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_functions_in_a_file_are_believed_only_to_the_letter(tmp_path, forgery):
    path = tmp_path / "data.duckdb"
    stock_shell.install_file(path)
    tanon_duck.connect(path).close()
    with duckdb.connect(str(path)) as con:
        python_functions.register(con)
        con.execute(FORGERIES[forgery].format(step=a_step()))
    with pytest.raises(TanonError, match=r"schema named tanon that is not|those of this"):
        tanon_duck.connect(path)
    if "version" not in forgery:
        stock_shell.install_file(path)
        tanon_duck.connect(path).close()


def test_a_changed_default_is_a_forgery(tmp_path):
    path = tmp_path / "data.duckdb"
    stock_shell.install_file(path)
    start = "create or replace macro tanon.publish_events("
    (honest,) = (s[s.index(start) :] for s in create_statements.install_statements() if start in s)
    assert "max_suppression := 0" in honest
    with duckdb.connect(str(path)) as con:
        python_functions.register(con)
        con.execute(honest.replace("max_suppression := 0", "max_suppression := 99", 1))
    with pytest.raises(TanonError, match="not those of this tanon_duck: type `tanon-duck install"):
        tanon_duck.connect(path)


def test_a_schema_that_only_states_our_version_is_refused(tmp_path):
    path = tmp_path / "data.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute("create schema tanon")
        con.execute(f"create macro tanon._version() as '{tanon_duck.__version__}'")
        con.execute("create macro tanon.k_anonymity_violations(x) as table select 1 where false")
    with pytest.raises(TanonError, match="not those of this tanon_duck"):
        tanon_duck.connect(path)


def test_nothing_of_a_file_runs_before_it_is_believed(tmp_path):
    """Defaults are asked for by a call, which a macro of the file could answer."""
    path = tmp_path / "data.duckdb"
    call = "from tanon.x(tanon_unknown := null)"
    with duckdb.connect(str(path)) as con:
        con.execute("create schema tanon; create sequence ran")
        con.execute(f"create macro tanon._version() as '{tanon_duck.__version__}'")
        con.execute("create macro tanon.x(tanon_unknown := 1) as table select nextval('ran') as n")
        assert con.execute(call).fetchall() == [(1,)]  # the control: it would run
    with pytest.raises(TanonError, match="not those of this tanon_duck"):
        tanon_duck.connect(path)
    with duckdb.connect(str(path)) as con:
        assert con.execute(call).fetchall() == [(2,)]


def test_a_database_named_tanon_is_not_believed():
    with duckdb.connect() as con:
        con.execute("attach ':memory:' as tanon")
        con.execute(f"create macro tanon._version() as '{tanon_duck.__version__}'")
        with pytest.raises(TanonError, match="database named tanon hides"):
            tanon_duck.install(con)
