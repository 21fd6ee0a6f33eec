"""House rules that no linter knows."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

import tanon_duck
from tanon_duck import quoting
from tanon_duck.macros import catalog, creating

PACKAGE = Path(tanon_duck.__file__).parent
SQL_FILES = sorted(Path(str(catalog.sql_root())).rglob("*.sql"))
PYTHON_FILES = sorted(PACKAGE.rglob("*.py"))
KEYWORDS = re.compile(
    r"\b(SELECT|FROM|WHERE|GROUP|ORDER|BY|WITH|AS|JOIN|ON|AND|OR|NOT|CASE|WHEN|THEN|ELSE|END|UNION|"
    r"ALL|HAVING|OVER|PARTITION|CREATE|MACRO|TABLE|USING|DISTINCT|BETWEEN|EXISTS|LATERAL)\b"
)


@pytest.mark.parametrize("path", SQL_FILES, ids=lambda p: p.name)
def test_sql_files(path):
    lines = path.read_text().splitlines()
    assert all(len(line) <= 100 for line in lines)
    assert all(line == line.rstrip() and "\t" not in line for line in lines)
    code = quoting.without_comments(path.read_text())
    if path.parent.parent.name == "functions":
        assert len(code.splitlines()) <= 80
    assert KEYWORDS.findall(re.sub(r"'(?:[^']|'')*'", "''", code)) == []


@pytest.mark.parametrize("path", PYTHON_FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_python_files(path):
    assert len(path.read_text().splitlines()) <= 300
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno - node.lineno < 40, node.name
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            is_method = isinstance(node, ast.FunctionDef) and len(node.body) <= 12
            assert ast.get_docstring(node) or is_method, node.name


def test_installed_macros_avoid_what_the_stock_shell_cannot_read():
    """DuckDB 2.0 keeps ``if(...)`` in a file as a function call, which shell 1.5 does not know."""
    for statement in creating.install_statements():
        code = re.sub(r"'(?:[^']|'')*'", "''", statement)
        assert not re.search(r"\bif\s*\(", code), statement[:200]


@pytest.mark.parametrize("how", [{}, {"for_shell": True}, {"by_python": True}])
def test_no_macro_takes_the_place_of_another(how):
    statements = creating.private_statements(**how)
    names = [name for s in statements for name in re.findall(r"^create .*?macro ([\w.]+)", s, re.M)]
    assert len(names) > 100
    assert [name for name, times in Counter(names).items() if times > 1] == []
