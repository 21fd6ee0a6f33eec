"""Which module may import which: rooms lie on top of each other, and no module imports in a circle.

Lower rooms know nothing of higher ones. ``python tests/project/test_layers.py`` draws them again.
"""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import tanon_duck

pytestmark = pytest.mark.quick

PACKAGE = Path(tanon_duck.__file__).parent
ROOMS = (
    ("_version", "former_names"),
    ("errors", "quoting"),
    ("algorithms",),  # numpy only
    ("secret",),
    ("udfs",),  # Arrow: what SQL calls of Python
    ("macros",),  # from SQL files to the macros that DuckDB runs
    ("checking",),  # promises that hold or not
    ("accounting",),  # what is written down of a release
    ("interfaces",),  # connections, the stock shell, a prompt, files
    ("demo", "integrations", "testing"),
    ("pytest_plugin",),
    ("publishing", "reporting"),
    ("exploring",),  # a page that asks while somebody looks
    ("parsers",),  # of the commands
    ("commands",),
    ("cli",),
    ("__main__",),
    ("scaling",),  # shards and Spark, which nothing else knows
)
PICTURE = Path(__file__).parents[2] / "docs/pictures/packages.svg"
HEIGHT = {room: height for height, rooms in enumerate(ROOMS) for room in rooms}


def modules():
    """Every module of the package by its full name below it, but for the package itself."""
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        if parts != ("__init__",):
            yield ".".join(part for part in parts if part != "__init__"), path


NAMES = dict(modules())


def imported(path):
    """The modules of the package that a file imports, at its top, in a function or for types."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (
                alias.name.removeprefix("tanon_duck").strip(".") or "package"
                for alias in node.names
                if alias.name.split(".")[0] == "tanon_duck"
            )
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tanon_duck"):
            below = node.module.removeprefix("tanon_duck").strip(".")
            for alias in node.names:
                inside = f"{below}.{alias.name}".strip(".")
                yield inside if inside in NAMES else below or "package"
        elif isinstance(node, ast.ImportFrom) and node.level:
            here = list(path.relative_to(PACKAGE).parent.parts)
            base = here[: len(here) - node.level + 1] + (node.module or "").split(".")
            below = ".".join(part for part in base if part)
            for alias in node.names:
                yield f"{below}.{alias.name}" if f"{below}.{alias.name}" in NAMES else below


def test_a_room_imports_only_what_lies_below():
    assert {name for name in NAMES if name.split(".")[0] not in HEIGHT} == set()
    wrong = [
        f"{name} imports {used}"
        for name, path in NAMES.items()
        for used in imported(path)
        if not _may_import(name.split(".")[0], used.split(".")[0])
    ]
    assert wrong == []


def _may_import(room, other):
    """Return whether a module of a room may import one of another; no room imports the package."""
    return other != "package" and (other == room or HEIGHT[other] < HEIGHT[room])


def test_nothing_is_imported_in_a_circle():
    graph = {name: {u for u in imported(path) if u != name} for name, path in NAMES.items()}
    try:
        order = list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(f"imported in a circle: {error.args[1]}")
    assert len(order) >= len(NAMES)


def picture():
    """Return an SVG picture of the layers. The top layer may import all others."""
    width, height, gap = 150, 28, 8
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" font-family="sans-serif" font-size="13"'
        f' width="520" viewBox="0 0 520 {len(ROOMS) * (height + gap) + gap}">',
        "<title>The packages of tanon_duck in layers</title>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
    ]
    for row, rooms in enumerate(reversed(ROOMS)):
        y = gap + row * (height + gap)
        for column, room in enumerate(rooms):
            x = 260 - len(rooms) * (width + gap) / 2 + gap / 2 + column * (width + gap)
            lines += [
                f'<rect x="{x:g}" y="{y}" width="{width}" height="{height}" rx="4"'
                ' fill="#e8eef6" stroke="#5b7aa3"/>',
                f'<text x="{x + width / 2:g}" y="{y + 19}" text-anchor="middle"'
                f' fill="#1b2a3d">{room}</text>',
            ]
    return "\n".join([*lines, "</svg>", ""])


def test_the_architecture_page_shows_the_layers():
    """Compare the picture. To renew it, run this file with Python."""
    assert PICTURE.read_text() == picture()
    assert "pictures/packages.svg" in PICTURE.parents[1].joinpath("architecture.md").read_text()


def test_algorithms_know_neither_duckdb_nor_arrow():
    for name, path in NAMES.items():
        if name.split(".")[0] == "algorithms":
            nodes = list(ast.walk(ast.parse(path.read_text())))
            found = {a.name for n in nodes if isinstance(n, ast.Import) for a in n.names}
            found |= {n.module or "" for n in nodes if isinstance(n, ast.ImportFrom)}
            assert not {f.split(".")[0] for f in found} & {"duckdb", "pyarrow"}, path


def test_no_module_has_the_name_of_what_the_package_offers():
    offered = set(tanon_duck.__all__)
    assert [name for name in NAMES if name in offered] == []


if __name__ == "__main__":
    PICTURE.write_text(picture())
