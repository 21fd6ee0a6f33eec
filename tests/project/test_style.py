"""House rules that no linter knows."""

import ast
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

import tanon_duck
from tanon_duck import quoting
from tanon_duck.macros import catalog, create_statements

pytestmark = pytest.mark.quick

PACKAGE = Path(tanon_duck.__file__).parent
FOLDERS = Path(str(catalog.sql_root())), PACKAGE
# A wheel also contains the script of the stock shell, which is made of these files.
SQL_FILES = sorted(
    path for folder in FOLDERS for path in folder.rglob("*.sql") if path.name != "script.sql"
)
PYTHON_FILES = sorted(PACKAGE.rglob("*.py"))
KEYWORDS = re.compile(
    r"\b(SELECT|FROM|WHERE|GROUP|ORDER|BY|WITH|AS|JOIN|ON|AND|OR|NOT|CASE|WHEN|THEN|ELSE|END|UNION|"
    r"ALL|HAVING|OVER|PARTITION|CREATE|MACRO|TABLE|USING|DISTINCT|BETWEEN|EXISTS|LATERAL)\b"
)


def test_sql_files():
    wrong = {p.name: found for p in SQL_FILES if (found := list(_faults_of_sql(p)))}
    assert wrong == {}


def _faults_of_sql(path):
    """Yield each rule that a SQL file breaks."""
    lines = path.read_text().splitlines()
    yield from (f"over 100 letters: {line}" for line in lines if len(line) > 100)
    yield from (f"white space: {line}" for line in lines if line != line.rstrip() or "\t" in line)
    code = quoting.without_comments(path.read_text())
    if path.parent.parent.name == "functions" and len(code.splitlines()) > 150:
        yield "a body of more than 150 lines"
    yield from KEYWORDS.findall(re.sub(r"'(?:[^']|'')*'", "''", code))


def _unordered(sql):
    """The items of each ORDER BY that leave direction or null order to DuckDB's settings."""
    code = re.sub(r"\{%.*?%\}", "", quoting.without_comments(sql))
    code = re.sub(r"\{\{.*?\}\}|\{tanon\._\w+\((?:[^{}']|'[^']*')*\)\}", "x", code)
    code = re.sub(r"\{(?:if|for)\b(?:[^{}']|'[^']*')*\}", " « ", code)
    code = code.replace("{else}", " ¦ ").replace("{end}", " » ")
    code = re.sub(r"\{,?[\w.]+:ordered,?\}", ", x asc nulls last", code)
    words = [token[0].lower() for token in quoting.tokens(re.sub(r"\{,?[\w.:]+,?\}", "x", code))]
    for at in (i for i, pair in enumerate(pairwise(words)) if pair == ("order", "by")):
        items, depth, blocks = [[]], 0, 0
        for word in words[at + 2 :]:
            if depth == 0 and word in {")", "]", ";", "limit", "union", "end"}:
                break
            if depth == 0 and word == "rows" and items[-1]:  # a frame, not a column
                break
            if blocks == 0 and word in {"»", "¦"}:
                break
            depth += (word in {"(", "[", "case"}) - (word in {")", "]", "end"})
            blocks += (word == "«") - (word == "»")
            if depth == 0 and word in {",", "¦"}:
                items.append([])
            elif word not in {"«", "»"}:
                items[-1].append(word)
        for item in filter(None, items):
            if item[-3:-1] not in (["asc", "nulls"], ["desc", "nulls"]):
                yield " ".join(item)
    for found in re.finditer(r"\b(?:list|array)_(?:reverse_)?(?:sort|grade_up)\(", code):
        if len(quoting.arguments(code, found.end())[0]) < 3:
            yield found[0]


def _texts(path):
    """The texts of a Python file, each placeholder of an f-string as a name."""
    tree = ast.parse(path.read_text())
    formatted = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    pieces = {id(part) for node in formatted for part in node.values}
    for node in formatted:
        yield "".join(part.value if isinstance(part, ast.Constant) else "x" for part in node.values)
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in pieces
        ):
            yield node.value


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("list(a order by b)", ["b"]),
        ("over (order by a asc nulls last, b desc rows 1 preceding)", ["b desc"]),
        ("from t order by all limit 3", ["all"]),
        ("list(a order by rows * b, rows)", ["rows * b", "rows"]),
        ("order by case when a then b end, c asc nulls first", ["case when a then b end"]),
        ("order by {if a}b asc nulls last{else}c{end}", ["c"]),
        ("{if a}order by b asc nulls last{end}, c", []),
        ("order by {qi:ordered}, {keep}", ["x"]),
        (
            "list_sort(a), list_sort(a, 'ASC', 'NULLS LAST'), array_sort(a, 'DESC')",
            ["list_sort(", "array_sort("],
        ),
        ("order by f(a, b) desc nulls last", []),
    ],
)
def test_what_settings_would_order_is_found(sql, found):
    assert list(_unordered(sql)) == found


def test_no_setting_decides_an_order():
    assert {p.name: found for p in SQL_FILES if (found := list(_unordered(p.read_text())))} == {}
    in_python = {p.name: [u for text in _texts(p) for u in _unordered(text)] for p in PYTHON_FILES}
    assert {name: found for name, found in in_python.items() if found} == {}


def test_python_files():
    wrong = {str(p): found for p in PYTHON_FILES if (found := list(_faults_of_python(p)))}
    assert wrong == {}


def _faults_of_python(path):
    """Yield each rule that a Python file breaks."""
    text = path.read_text()
    if len(text.splitlines()) > 300:
        yield "more than 300 lines"
    for node in ast.walk(ast.parse(text)):
        is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if is_function and node.end_lineno - node.lineno >= 40:
            yield f"{node.name} has more than 40 lines"
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            is_method = isinstance(node, ast.FunctionDef) and len(node.body) <= 12
            if not (ast.get_docstring(node) or is_method):
                yield f"{node.name} has no docstring"


def test_installed_macros_avoid_what_the_stock_shell_cannot_read():
    """DuckDB 2.0 keeps ``if(...)`` in a file as a function call, which shell 1.5 does not know."""
    for statement in create_statements.install_statements():
        code = re.sub(r"'(?:[^']|'')*'", "''", statement)
        assert not re.search(r"\bif\s*\(", code), statement[:200]


@pytest.mark.parametrize("how", [{}, {"for_shell": True}, {"by_python": True}])
def test_no_macro_takes_the_place_of_another(how):
    statements = create_statements.private_statements(**how)
    names = [name for s in statements for name in re.findall(r"^create .*?macro ([\w.]+)", s, re.M)]
    assert len(names) > 100
    assert [name for name, times in Counter(names).items() if times > 1] == []
