"""File name, function name and test name are one word."""

from pathlib import Path

from every_function.examples import FUNCTIONS, file_of_tests

from tanon_duck.macros import catalog
from tanon_duck.udfs import _registry as python_functions

TESTS = Path(__file__).parents[1] / "functions"


def test_every_function_has_its_test_file():
    assert [n for n in FUNCTIONS if not file_of_tests(n).is_file()] == []


def test_every_test_file_has_its_function():
    expected = {file_of_tests(n) for n in FUNCTIONS}
    assert [f for f in TESTS.rglob("test_*.py") if f not in expected] == []


def test_every_python_function_is_called_by_some_sql():
    texts = [f.body for f in catalog.functions().values()]
    texts += [block.body for block in catalog.library().blocks.values()]
    called = {name for text in texts for name in python_functions.called_in(text)}
    assert called | {"held_secret", "declared_roles"} == python_functions.names()


def test_the_functions_exist_in_the_database(con):
    made = con.execute(
        "select distinct function_name from duckdb_functions() "
        "where database_name = 'tanon' and function_name not like '\\_%' escape '\\'"
    ).fetchall()
    assert sorted(name for (name,) in made) == FUNCTIONS
