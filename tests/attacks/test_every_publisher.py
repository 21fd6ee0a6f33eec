"""Nothing is made to be released without an attack in the tests, and a control that works."""

import ast
from pathlib import Path

import pytest
from every_function.examples import FUNCTIONS

from tanon_duck.macros import catalog

HERE = Path(__file__).parent
PUBLISHERS = [n for n in FUNCTIONS if catalog.function(n).header.audience == "others"]


def test_every_function_says_whom_its_result_is_for():
    assert [n for n in FUNCTIONS if not catalog.function(n).header.audience] == []


@pytest.mark.parametrize("name", PUBLISHERS)
def test_every_publisher_is_attacked_with_a_control(name):
    attacks = ast.parse((HERE / f"test_{name}.py").read_text())
    tests = [d.name for d in attacks.body if isinstance(d, ast.FunctionDef)]
    assert [t for t in tests if t.startswith("test_") and "control" not in t]
    assert [t for t in tests if t.startswith("test_control")]
