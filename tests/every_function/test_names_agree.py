"""File name, function name and test name are one word.

The tests of a function stand in ``test_<function>.py``. Where they are too long for one file, more
stand beside it in ``test_<function>_<aspect>.py``: of several functions whose names fit, the one
with the longest name is meant.
"""

from pathlib import Path

from every_function.examples import FUNCTIONS, file_of_tests

from tanon_duck.macros import catalog
from tanon_duck.scaling import plans
from tanon_duck.udfs import _registry as python_functions

TESTS = Path(__file__).parents[1] / "functions"


def test_every_function_has_its_test_file():
    missing = [str(file_of_tests(n)) for n in FUNCTIONS if not file_of_tests(n).is_file()]
    assert missing == [], "write these files of tests"


def meant(file):
    """The function that a test file is about; None if it is about none."""
    words = file.stem.removeprefix("test_")
    fitting = [n for n in FUNCTIONS if words == n or words.startswith(f"{n}_")]
    return max(fitting, key=len, default=None)


def test_every_test_file_has_its_function_and_lies_beside_its_plain_one():
    lost = {}
    for file in TESTS.rglob("test_*.py"):
        function = meant(file)
        plain = function and file_of_tests(function)
        if not (plain and plain.is_file() and plain.parent == file.parent):
            lost[file] = function
    assert lost == {}


def test_the_longest_name_that_fits_is_meant():
    told = {
        "test_k_anonymity.py": "k_anonymity",
        "test_k_anonymity_violations.py": "k_anonymity_violations",
        "test_publish_events_cells.py": "publish_events",
        "test_publish_events_summary.py": "publish_events",
        "test_upper.py": None,
        "test_nothing.py": None,
    }
    assert {name: meant(TESTS / name) for name in told} == told


def test_every_python_function_is_called_by_some_sql():
    texts = [f.body for f in catalog.functions().values()]
    texts += [block.body for block in plans.library().blocks.values()]
    called = {name for text in texts for name in python_functions.called_in(text)}
    assert (
        called | {"held_secret", "declared_roles", "any_roles", "text_of"}
        == python_functions.names()
    )


def test_the_functions_exist_in_the_database(con):
    made = con.execute(
        "select distinct function_name from duckdb_functions() "
        "where database_name = 'tanon' and function_name not like '\\_%' escape '\\'"
    ).fetchall()
    assert sorted(name for (name,) in made) == FUNCTIONS
