"""The functions of the package: read from ``sql/functions``, ordered, created, described.

One file is one public function; its folder is its topic, its stem is its name.
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
from typing import TYPE_CHECKING, Any

from tanon_duck import errors, quoting
from tanon_duck._version import __version__
from tanon_duck.errors import TanonError, TemplateError
from tanon_duck.macros import (
    header,
    linking,
    steps,
)
from tanon_duck.macros.header import Header
from tanon_duck.quoting import literal
from tanon_duck.udfs import _registry as python_functions

if TYPE_CHECKING:
    import jinja2


@dataclass(frozen=True)
class Function:
    """One public function as its file describes it."""

    name: str
    topic: str
    header: Header
    file: steps.File

    @property
    def body(self) -> str:
        """All of its own SQL, for those who look for calls in it."""
        return "\n".join([*(b.body for b in self.file.blocks), self.file.query.body])

    @property
    def is_scalar(self) -> bool:
        return bool(self.header.returns)

    @cached_property
    def needs_python(self) -> bool:
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
        """What ``tanon.help`` reads: labelled lines and sections of a fixed form."""
        h = self.header
        lines = [h.summary, "", f"Topic: {self.topic}"]
        lines += [f"Signature: tanon.{self.name}({h.signature()})"]
        lines += [f"Python: {'yes' if self.needs_python else 'no'}"]
        lines += [f"For: {h.audience}"] if h.audience else []
        lines += [f"Argument: {a.name} | {a.words} | {a.meaning}" for a in h.arguments]
        lines += [f"Result: {r.name} | {r.type} | {r.meaning}" for r in h.results]
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


def read_sql(path: str, **given: Any) -> str:
    """The text of a file below ``sql``, its Jinja parts carried out."""
    text = file_text(path)
    if "{%" not in text and not given:
        return text
    return _environment().get_template(path).render(version=__version__, **given)


def file_text(path: str) -> str:
    """The text of a file below ``sql`` as it is."""
    file = sql_root()
    for part in path.split("/"):
        file = file / part
    return file.read_text(encoding="utf-8")


@cache
def presets() -> list[dict[str, Any]]:
    """The rules of others that a policy may name: ``sql/presets.toml``."""
    found: list[dict[str, Any]] = tomllib.loads(file_text("presets.toml"))["preset"]
    return found


def _calls(checks: list[dict[str, Any]]) -> str:
    """The checks of a preset as they are called, the user's own arguments aside."""
    return " and ".join(
        f"{check['function']}("
        + ", ".join(f"{k} := {v}" for k, v in check.items() if k != "function")
        + ")"
        for check in checks
    )


@cache
def _environment() -> "jinja2.Environment":
    import jinja2  # who connects reads no template, as the functions are kept

    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(file_text),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["presets"] = presets
    environment.filters["literal"] = literal
    environment.filters["calls"] = _calls
    return environment


@cache
def library() -> linking.Library:
    """The steps that functions share: all files below ``sql/steps``."""
    root = sql_root() / "steps"
    files = [(f"sql/steps/{path}", read_sql(f"steps/{path}")) for path in sorted(_files(root))]
    return linking.Library((steps.read(name, text) for name, text in files), _private_macros())


def _private_macros() -> frozenset[str]:
    names = [file.name for file in (sql_root() / "private").iterdir()]
    created = "".join(file_text(f"private/{name}") for name in names)
    return frozenset(re.findall(r"\bmacro tanon\.(_\w+)", created))


def _files(folder: Traversable) -> Iterator[str]:
    """The SQL files of a folder and those below it, by their path from there."""
    for entry in folder.iterdir() if folder.is_dir() else ():
        if entry.is_dir():
            yield from (f"{entry.name}/{path}" for path in _files(entry))
        elif entry.name.endswith(".sql"):
            yield entry.name


@cache
def functions() -> dict[str, Function]:
    """Every public function by name, each after those it calls."""
    found: dict[str, Function] = {}
    for topic in sorted((sql_root() / "functions").iterdir(), key=lambda t: t.name):
        if not topic.is_dir():
            continue
        for file in sorted(topic.iterdir(), key=lambda f: f.name):
            if file.name.endswith(".sql"):
                function = _read(topic.name, file.name.removesuffix(".sql"))
                if function.name in found:
                    raise TemplateError(f"two files describe tanon.{function.name}")
                found[function.name] = function
    return {name: found[name] for name in _creation_order(found)}


def _read(topic: str, name: str) -> Function:
    path = f"functions/{topic}/{name}.sql"
    text = read_sql(path)
    # What is included stands in the header, so that lines are counted from the end.
    left_out = len(file_text(path).splitlines()) - len(text.splitlines())
    file = steps.read(f"sql/{path}", text, left_out)
    try:
        comment, _ = header.split(text)
        return Function(name, topic, header.parse(comment), file)
    except TemplateError as error:
        raise TemplateError(f"sql/{path}: {error}") from None


def _creation_order(found: dict[str, Function]) -> list[str]:
    """DuckDB refuses a macro that calls one which is not there yet."""
    graph = TopologicalSorter[str]()
    for name, function in found.items():
        called = set(re.findall(r"\btanon\.([a-z]\w*)\s*\(", function.body))
        unknown = called - found.keys()
        if unknown:
            raise TemplateError(f"tanon.{name} calls {', '.join(sorted(unknown))}: no such file")
        graph.add(name, *sorted(called - {name}))
    return list(graph.static_order())


def function(name: str) -> Function:
    """The public function of this name."""
    if name not in functions():
        raise TanonError(errors.unknown_function(name, functions()))
    return functions()[name]
