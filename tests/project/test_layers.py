"""Which module may import which: lower ones know nothing of higher ones.

quoting, errors <- kinds, header <- template <- rendering <- catalog <- connection <- cli
algorithms (numpy only) <- functions (Arrow) <- python_functions <- catalog
"""

import ast
from pathlib import Path

import tanon_duck

PACKAGE = Path(tanon_duck.__file__).parent
HEIGHT = {
    name: height
    for height, names in enumerate(
        [
            [
                "algorithms",
                "builtin_functions",
                "errors",
                "interruptible",
                "pressed_keys",
                "readable",
            ],
            ["quoting", "text_rows"],
            ["secret", "series_arrays", "spill", "stopping"],
            ["functions", "kinds", "macros"],
            ["header", "python_functions"],
            ["template", "sources"],
            ["rendering"],
            ["catalog"],
            ["procedures", "statements", "trust"],
            ["kept_catalog"],
            ["connection", "preview"],
            ["persisted", "shell", "files"],
            ["demo"],
            ["publication"],
            ["cli"],
            ["__main__"],
        ]
    )
    for name in names
}


def imports(path):
    """The modules of this package that a file imports, by their first name below it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tanon_duck"):
            parts = node.module.split(".")
            yield from [parts[1]] if len(parts) > 1 else (alias.name for alias in node.names)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("tanon_duck."):
                    yield alias.name.split(".")[1]


def modules():
    for path in sorted(PACKAGE.rglob("*.py")):
        relative = path.relative_to(PACKAGE)
        if relative.parts[0] != "__init__.py":
            yield relative.parts[0].removesuffix(".py"), path


def test_every_module_has_its_layer():
    assert {name for name, _ in modules()} <= set(HEIGHT)


def test_no_module_imports_a_higher_one():
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {used}"
        for name, path in modules()
        for used in imports(path)
        if used in HEIGHT and used != name and HEIGHT[used] >= HEIGHT[name]
    ]
    assert wrong == []


def test_algorithms_know_neither_duckdb_nor_arrow():
    for name, path in modules():
        if name == "algorithms":
            text = path.read_text()
            assert "import duckdb" not in text, path
            assert "import pyarrow" not in text, path
