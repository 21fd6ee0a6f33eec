"""Read the public functions from ``sql/functions``, and order them by their calls.

Each file is one function. Its folder is the topic, and its stem is the name.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from graphlib import TopologicalSorter
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from tanon_duck import errors, quoting
from tanon_duck.errors import TanonError, TemplateError
from tanon_duck.macros import (
    header,
    linker,
    steps,
)
from tanon_duck.macros.header import Header
from tanon_duck.macros.header_lint import mistakes


@dataclass(frozen=True)
class Function:
    """One public function as its file describes it."""

    name: str
    topic: str
    header: Header
    file: steps.File

    @property
    def body(self) -> str:
        """Return the SQL of all blocks and the query, without the shared steps."""
        return "\n".join([*(b.body for b in self.file.blocks), self.file.query.body])

    @property
    def is_scalar(self) -> bool:
        return bool(self.header.returns)

    @cached_property
    def needs_python(self) -> bool:
        from tanon_duck.udfs import _registry as python_functions  # imports DuckDB and Arrow

        plan = library().link(self.file, [a.name for a in self.header.arguments])
        whole = "\n".join([self.body, *(linked.text for linked in plan.steps)])
        called = set(re.findall(r"\btanon\.([a-z]\w*)\s*\(", whole)) - {self.name}
        return any(python_functions.called_in(whole)) or any(
            function(name).needs_python for name in called
        )

    def comment(self) -> str:
        """The statement that attaches the help text."""
        target = "macro" if self.is_scalar else "macro table"
        return f"comment on {target} tanon.{self.name} is {quoting.literal(self.help_text())}"

    def help_text(self) -> str:
        """Return the text that ``tanon.help`` parses: labelled lines in a fixed order."""
        h = self.header
        lines = [h.summary, "", f"Topic: {self.topic}"]
        lines += [f"Signature: tanon.{self.name}({h.signature()})"]
        lines += [f"Python: {'yes' if self.needs_python else 'no'}"]
        lines += [f"For{f' {a.name}'.rstrip()}: {a.audience}" for a in h.answers if a.audience]
        lines += [f"Argument: {a.name} | {a.words} | {a.meaning}" for a in h.arguments]
        lines += [
            f"Result{f' {a.name}'.rstrip()}: {r.name} | {r.type} | {r.meaning}"
            for a in h.answers
            for r in a.columns
        ]
        if self.is_scalar:
            lines.append(f"Result: {self.name} | {h.returns} | the value of the expression")
        if h.details:
            lines += ["", "Details:", h.details]
        return "\n".join([*lines, "", "Example:", h.example])


@cache
def sql_root() -> Traversable:
    """The folder ``sql``: inside the package of a wheel, beside it in a checkout."""
    packaged = resources.files("tanon_duck") / "sql"
    if packaged.is_dir():
        return packaged
    beside = Path(__file__).resolve().parents[2] / "sql"
    if beside.is_dir():
        return beside
    raise TanonError("tanon_duck: the sql/ folder is missing from this installation")


def file_text(path: str) -> str:
    """Return the text of a file, by its path below ``sql``."""
    file = sql_root()
    for part in path.split("/"):
        file = file / part
    return file.read_text(encoding="utf-8")


@cache
def presets() -> list[dict[str, Any]]:
    """Return the presets of ``sql/presets.toml``: published rules that a policy can name."""
    found: list[dict[str, Any]] = tomllib.loads(file_text("presets.toml"))["preset"]
    return found


@cache
def library() -> linker.Library:
    """Return the library of shared steps: all files below ``sql/steps``."""
    root = sql_root() / "steps"
    files = [
        (f"sql/steps/{path}", file_text(f"steps/{path}")) for path in sorted(files_below(root))
    ]
    return linker.Library((steps.read(name, text) for name, text in files), _private_macros())


def _private_macros() -> frozenset[str]:
    root = sql_root() / "private"
    created = "".join(file_text(f"private/{path}") for path in files_below(root))
    return frozenset(re.findall(r"\bmacro tanon\.(_\w+)", created))


def files_below(folder: Traversable) -> Iterator[str]:
    """Yield the paths of all SQL files below a folder, relative to the folder."""
    for entry in folder.iterdir() if folder.is_dir() else ():
        if entry.is_dir():
            yield from (f"{entry.name}/{path}" for path in files_below(entry))
        elif entry.name.endswith(".sql"):
            yield entry.name


@cache
def names() -> dict[str, str]:
    """Return the topic of each public function by its name; no file is read."""
    found: dict[str, str] = {}
    for topic in sorted((sql_root() / "functions").iterdir(), key=lambda t: t.name):
        for file in sorted(topic.iterdir(), key=lambda f: f.name) if topic.is_dir() else ():
            name = file.name.removesuffix(".sql")
            if name in found:
                raise TemplateError(f"two files describe tanon.{name}")
            if name != file.name:
                found[name] = topic.name
    return found


@cache
def functions() -> dict[str, Function]:
    """Return all public functions by name; a function follows the functions that it calls."""
    found = {name: function(name) for name in names()}
    headers = {name: f.header for name, f in found.items()}
    wrong = [f"{f.file.name}: {w}" for n, f in found.items() for w in mistakes(n, headers)]
    if wrong:
        raise TemplateError("\n".join(wrong))
    return {name: found[name] for name in _creation_order(found)}


@cache
def function(name: str) -> Function:
    """Return the public function of this name."""
    if name not in names():
        raise TanonError(errors.unknown_function(name, names()))
    return _read(names()[name], name)


def _read(topic: str, name: str) -> Function:
    path = f"functions/{topic}/{name}.sql"
    text = file_text(path)
    file = steps.read(f"sql/{path}", text)
    try:
        return Function(name, topic, described(text), file)
    except TemplateError as error:
        raise TemplateError(f"sql/{path}: {error}") from None


def described(text: str) -> Header:
    """Return the header of a file, with the sets of arguments that it uses."""
    comment, _ = header.split(text)
    return header.parse(comment, lambda name: header.split(file_text(f"arguments/{name}.sql"))[0])


def _creation_order(found: dict[str, Function]) -> list[str]:
    """Order functions after the functions that they call, as DuckDB requires for macros."""
    graph = TopologicalSorter[str]()
    for name, function in found.items():
        called = set(re.findall(r"\btanon\.([a-z]\w*)\s*\(", function.body))
        unknown = called - found.keys()
        if unknown:
            raise TemplateError(f"tanon.{name} calls {', '.join(sorted(unknown))}: no such file")
        graph.add(name, *sorted(called - {name}))
    return list(graph.static_order())
