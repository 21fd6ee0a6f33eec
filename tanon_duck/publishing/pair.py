"""Write the two tables for others as files: both or none."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import duckdb

from tanon_duck.interfaces.files.outputs import Output, put_together
from tanon_duck.interfaces.temporary_folders import workshop


@dataclass(frozen=True)
class OutputPair:
    """Two output files that are only useful together."""

    paths: Sequence[Path]
    force: bool

    def check(self) -> None:
        """Raise ValueError if a path cannot be written or both paths are the same."""
        for path in self.paths:
            if str(path) == "-":
                raise ValueError("individuals and values must be two files, got -")
            Output(path, self.force).check()
        first, second = (path.resolve() for path in self.paths)
        if first == second:
            raise ValueError(f"individuals and values must be two files, got {first.name} twice")

    def write(self, connection: duckdb.DuckDBPyConnection, queries: Sequence[str]) -> None:
        """Write both results to temporary folders, then move both to their paths."""
        with ExitStack() as stack:
            written = []
            for path, sql in zip(self.paths, queries, strict=True):
                part = stack.enter_context(workshop(path.resolve().parent)) / path.name
                Output(part, force=False).write(connection, sql)
                written.append(part)
            self.check()
            put_together(written, [path.resolve() for path in self.paths], self.force)
