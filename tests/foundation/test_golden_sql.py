"""The SQL of every function's example, compared with files that are read in review.

``pytest tests/foundation/test_golden_sql.py --renew-golden`` writes the files anew.
"""

import re
from functools import cache
from pathlib import Path

import pytest
from every_function.examples import EXAMPLES, example, function_of

from tanon_duck.interfaces import call_sql, sql_formatting

pytestmark = pytest.mark.quick

GOLDEN = Path(__file__).parent / "golden"


@cache
def sql_of_example(name):
    """Return the SQL of the first call in a function's own example, without line numbers."""
    begun = re.search(rf"\btanon\.{function_of(name).name}\s*\(", example(name))
    text = call_sql.sql_of_call(example(name)[begun.start() :]) + "\n"
    return re.sub(r"(?m)^( *-- \S+\.sql):\d+$", r"\1", text)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_sql_of_the_example_is_as_it_was_read(name, request):
    path, text = GOLDEN / f"{name}.sql", sql_of_example(name)
    if request.config.getoption("--renew-golden"):
        path.write_text(text)
    assert path.exists() and text == path.read_text(), "review the SQL; --renew-golden writes it"


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_sql_of_the_example_can_be_read(name):
    lines = sql_of_example(name).splitlines()
    assert [line for line in lines if len(line) > sql_formatting.LONGEST] == []
    assert [line for line in lines if not line or line != line.rstrip()] == []
    assert f"-- {function_of(name).file.name}" in lines


def test_every_file_is_of_a_function():
    assert {path.stem for path in GOLDEN.iterdir()} <= set(EXAMPLES)
