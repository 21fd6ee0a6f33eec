"""Link a function: find the steps it reads, order them, and compute when each is needed."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from tanon_duck.errors import TemplateError, nearest
from tanon_duck.macros import step_lint, use_bindings
from tanon_duck.macros.step_conditions import ALWAYS, Path, path_to, simplest
from tanon_duck.macros.steps import File, Step, cte_name
from tanon_duck.macros.use_bindings import Bindings, Bound

_REFERENCE = re.compile(r"\{(?P<checked>checked )?(?P<name>[a-z]\w*)\}")


@dataclass(frozen=True)
class Linked:
    """A step whose references are resolved and whose pieces are inserted."""

    step: Step
    text: str  # what stands between the parentheses of a CTE, or all CTEs of a block
    # It is needed where all conditions of one of these hold; none at all are an empty one.
    needed: frozenset[Path] = frozenset()
    pieces: tuple[Step, ...] = ()  # that were put in
    # The steps that it reads, each with the conditions under which it does.
    reads: tuple[tuple[str, frozenset[Path]], ...] = ()

    def place_of(self, words: str) -> str:
        """Return the file:line that contains the words, in the step or in one of its pieces."""
        places = [(part.place_of(words), part.place) for part in (self.step, *self.pieces)]
        return next((place for place, head in places if place != head), self.step.place)

    @property
    def is_always_needed(self) -> bool:
        return ALWAYS in self.needed


@dataclass(frozen=True)
class Assembly:
    """All steps of a function in an order in which they can be computed, and its query."""

    steps: tuple[Linked, ...]
    query: Linked

    @property
    def is_recursive(self) -> bool:
        return any(linked.step.is_recursive for linked in self.steps)


class Library:
    """The steps that functions share, by name."""

    def __init__(self, files: Iterable[File], macros: Collection[str] = ()) -> None:
        self.macros = frozenset(macros)  # of sql/private, that steps call
        self.files = {file.name: file for file in files}
        self.blocks: dict[str, Step] = {}
        self.yielded: set[str] = set()
        # What was read by whom, and all text that was made of a file, for `faults`.
        self.read: dict[str, set[str]] = {name: set() for name in self.files}
        self.made: dict[str, str] = dict.fromkeys(self.files, "")
        for file in self.files.values():
            for block in file.blocks:
                if block.name in self.blocks:
                    other = self.blocks[block.name].place
                    raise TemplateError(f"{block.place}: {block.name} is defined at {other} too")
                self.blocks[block.name] = block
            self.yielded.update(file.says.get("Yields", ()))

    def extended(self, files: Iterable[File]) -> "Library":
        """Return a library with more files, which may read every step of these."""
        whole = Library([*self.files.values(), *files], self.macros)
        whole.yielded = set(whole.blocks)
        return whole

    def takes(self, file: str) -> tuple[str, ...]:
        """Return the arguments that the steps of a file take."""
        return self.files[file].says.get("Takes", ()) if file in self.files else ()

    def link(
        self, function: File, arguments: Iterable[str], also: Collection[str] = ()
    ) -> Assembly:
        """Link a function; include the steps in ``also``, which its query does not read."""
        return _Linking(self, function, frozenset(arguments)).assembly(also)

    def note(self, step: Step, text: str = "") -> None:
        """Record the text of a linked step, for `faults`."""
        if step.file in self.made:
            self.made[step.file] += f" {step.body} {step.modifiers} {step.condition} {text}"

    def faults(self) -> Iterator[str]:
        """Yield unused steps and wrong ``Yields``, ``Reads`` and ``Takes``, after linking all."""
        used = {name for names in self.read.values() for name in names}
        for block in self.blocks.values():
            if block.name not in used:
                yield f"{block.place}: {block.name} is never used"
        for file in self.files.values():
            own = {block.name for block in file.blocks}
            others = {n for f, names in self.read.items() if f != file.name for n in names}
            whole = self.made[file.name]
            found = {
                "Yields": own & others,
                "Reads": self.read[file.name] - own,
                "Takes": {a for a in self.takes(file.name) if re.search(rf"\b{a}\b", whole)},
            }
            for title, names in found.items():
                if names != set(file.says.get(title, ())):
                    wanted = ", ".join(sorted(names)) or "nothing"
                    yield f"{file.name}: {title}: should say {wanted}"


QUERY = ""  # as a reader


class _Linking:
    """The state of linking one function; steps are in the order of their first use."""

    def __init__(self, library: Library, function: File, arguments: frozenset[str]) -> None:
        self.library = library
        self.function = function
        self.arguments = arguments
        self.own = {block.name: block for block in function.blocks}
        self.done: dict[str, Linked] = {}
        self.meanings: dict[str, use_bindings.Meaning] = {}  # by the names of those that are done
        self.open: list[str] = []
        self.needed: set[str] = set()
        self.checked: set[str] = set()
        self.pieces: defaultdict[str, list[Step]] = defaultdict(list)  # of a step
        self.reads: list[tuple[str, str, Path]] = []  # who needs what, and where it is reached
        self.written: list[tuple[str, str, Path]] = []  # those of them that stand in a text
        for block in function.blocks:
            if block.name in library.blocks:
                other = library.blocks[block.name].place
                raise TemplateError(f"{block.place}: {block.name} is defined at {other} too")

    def assembly(self, also: Collection[str] = ()) -> Assembly:
        reader = self.function.query
        query = self._with_references(reader, {})
        for name in also:
            self._need(name, reader, {})
            self.reads.append((QUERY, name, ALWAYS))
        while guards := [guard for guard in self._guards() if guard.name not in self.done]:
            for guard in guards:
                self.reads.append((guard.on, guard.name, ALWAYS))
                self._need(guard.name, guard, {})
        for block in self.function.blocks:
            if block.name not in self.needed:
                raise TemplateError(f"{block.place}: {block.name} is never used")
        steps = self._with_conditions()
        unchecked = [s for s in steps if s.step.kind == "guard" and s.step.name not in self.checked]
        for linked in unchecked:
            if not linked.is_always_needed:
                raise TemplateError(f"{linked.step.place}: a step must check {linked.step.name}")
        if unchecked:
            conditions = " and ".join(_checked(linked.step.name) for linked in unchecked)
            self.written += [(QUERY, linked.step.name, ALWAYS) for linked in unchecked]
            query = f"from (\n{query}\n)\nwhere {conditions}"
        end = Linked(reader, query, pieces=tuple(self.pieces[QUERY]), reads=self._read_by(QUERY))
        return Assembly(steps, end)

    def _read_by(self, reader: str) -> tuple[tuple[str, frozenset[Path]], ...]:
        """Return the steps that a step reads, each with its conditions."""
        paths = defaultdict[str, set[Path]](set)
        for who, name, path in self.written:
            if who == reader and name != reader:
                paths[name].add(path)
        return tuple((name, simplest(p, self.function.lets)) for name, p in paths.items())

    def _with_conditions(self) -> tuple[Linked, ...]:
        """Return the steps with the conditions under which a call needs them."""
        needed: dict[str, set[Path]] = {name: set() for name in self.done} | {QUERY: {ALWAYS}}
        guards = [name for name, linked in self.done.items() if linked.step.kind == "guard"]
        order = [QUERY, *reversed(self.done)]
        # Guards stand behind what they read, but are there because of what stands behind them.
        for reader in [*order, *guards, *order]:
            own = self.done[reader].step.condition if reader else ""
            if own:
                needed[reader] = {path | {f"({own})"} for path in needed[reader]}
            for who, name, path in self.reads:
                if who == reader and name != reader:
                    paths = {path | outer for outer in needed[reader]}
                    if not paths <= needed[name]:  # kept short: each reader multiplies them
                        needed[name] = set(simplest(needed[name] | paths, self.function.lets))
        lets = self.function.lets
        return tuple(
            replace(linked, needed=simplest(needed[name], lets), reads=self._read_by(name))
            for name, linked in self.done.items()
        )

    def _guards(self) -> Iterator[Step]:
        for block in (*self.library.blocks.values(), *self.own.values()):
            if block.kind == "guard" and block.on in self.done:
                yield block

    def _need(self, name: str, reader: Step, outer: Bindings) -> tuple[Step, Bindings]:
        """Link a step before its reader, unless it is linked; return it with its bindings."""
        block = self._find(name, reader)
        made, bindings = self._made(block, outer)
        if made.kind == "piece":
            return made, bindings
        if name in self.done:
            if self._meaning(name, reader, outer) != self.meanings[name]:
                message = f"use {name} is reached twice, and means two things: {block.body}"
                raise TemplateError(f"{block.place}: {message}")
            return made, bindings
        if name in self.open:
            if made.is_recursive and name == self.open[-1]:
                return made, bindings
            raise TemplateError(f"{block.place}: {' reads '.join([*self.open, name])}")
        self.open.append(name)
        text = self._with_references(made, bindings)
        self.open.pop()
        self.meanings[name] = self._meaning(name, reader, outer)
        if made.kind == "guard":
            text = _raising_query(text)
        self.done[name] = Linked(made, text, pieces=tuple(self.pieces[name]))
        self.library.note(made, text)
        return made, bindings

    def _find(self, name: str, reader: Step) -> Step:
        block = self.own.get(name) or self.library.blocks.get(name)
        if block is None:
            known = [*self.own, *self.library.blocks, *self._arguments_of(reader)]
            hint = nearest(name, known)
            place = reader.place_of(name)
            raise TemplateError(f"{place}: there is no step or argument {name}{hint}")
        self.library.read.setdefault(reader.file, set()).add(name)
        is_foreign = block.file not in (reader.file, self.function.name)
        if is_foreign and name not in self.library.yielded:
            raise TemplateError(f"{reader.place_of(name)}: {block.file} does not yield {name}")
        self.needed.add(name)
        return block

    def _made(self, block: Step, outer: Bindings) -> tuple[Step, Bindings]:
        """Return a block, or the copy of another block that a ``use`` declares."""
        if block.kind != "use":
            return block, {}
        original = self._find(block.on, block)
        if set(use_bindings.given(block)) != set(original.parameters):
            wanted = ", ".join(original.parameters) or "no parameters"
            raise TemplateError(f"{block.place}: {block.on} takes {wanted}")
        return replace(original, name=block.name), use_bindings.bindings(block, outer)

    def _meaning(self, name: str, reader: Step, scope: Bindings) -> use_bindings.Meaning:
        def block(name: str) -> Step | None:
            return self.own.get(name) or self.library.blocks.get(name)

        return use_bindings.meaning(Bound(name, reader, scope), block)

    def _arguments_of(self, reader: Step) -> frozenset[str]:
        if reader.file in self.library.files:
            return frozenset(self.library.takes(reader.file))
        return self.arguments

    def _with_references(
        self, reader: Step, bindings: Bindings, who: str | None = None, around: Path = ALWAYS
    ) -> str:
        """Replace the references in a body by CTE names, pieces and bound parameters."""
        step_lint.refuse(reader, self._arguments_of(reader), self.library.macros)
        who = reader.name if who is None else who
        loops = re.findall(r"\{for (\w+) in ", reader.body)
        left = {"function", "else", "end", *loops, *self._arguments_of(reader)} - set(bindings)

        def filled(found: re.Match[str]) -> str:
            if found["name"] in left:
                return found[0]
            bound = use_bindings.bound(found["name"], reader, bindings)
            name = bound.name
            if found["name"] in bindings and name.startswith("tanon_"):
                return name
            path = around | path_to(reader.body, found.start())
            made, inner = self._need(name, bound.giver, bound.scope)
            if made.kind == "piece":
                self.library.note(made)
                self.pieces[who].append(made)
                return self._with_references(made, inner, who, path)
            self.reads.append((who, name, path))
            self.written.append((who, name, path))
            if found["checked"]:
                self.checked.add(name)
                return _checked(name)
            return "" if made.kind == "block" else made.cte

        return _REFERENCE.sub(filled, reader.body)


def _checked(guard: str) -> str:
    return f"(select tanon_fine from {cte_name(guard)})"


def _raising_query(messages: str) -> str:
    """Return the query that raises the first message of a guard."""
    # A message with a NULL in it is NULL, which must not pass for none.
    first = "min(coalesce(tanon_message, 'a check failed'))"
    return (
        f"select coalesce(error({{function}} || ': ' || {first})::boolean, true) as tanon_fine\n"
        f"from (\n{messages}\n) as tanon_messages(tanon_message)"
    )
