"""The two tables for others as files: both whole, or neither."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import duckdb

from tanon_duck.interfaces.files.outputs import Output, put_together
from tanon_duck.interfaces.temporary_folders import workshop


@dataclass(frozen=True)
class OutputPair:
    """Where two results go that are of use together only."""

    paths: Sequence[Path]
    force: bool

    def check(self) -> None:
        """An error before any work; ValueError for a name that cannot be."""
        for path in self.paths:
            if str(path) == "-":
                raise ValueError("individuals and values must be two files, got -")
            Output(path, self.force).check()
        first, second = (path.resolve() for path in self.paths)
        if first == second:
            raise ValueError(f"individuals and values must be two files, got {first.name} twice")

    def write(self, connection: duckdb.DuckDBPyConnection, queries: Sequence[str]) -> None:
        """Write both beside their places first, then put both there."""
        with ExitStack() as stack:
            written = []
            for path, sql in zip(self.paths, queries, strict=True):
                part = stack.enter_context(workshop(path.resolve().parent)) / path.name
                Output(part, force=False).write(connection, sql)
                written.append(part)
            self.check()
            put_together(written, [path.resolve() for path in self.paths], self.force)
