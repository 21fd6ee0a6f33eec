"""Write a release and its manifest as two files."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import duckdb

from tanon_duck import errors
from tanon_duck.accounting.manifest import Manifest, written
from tanon_duck.errors import TanonError
from tanon_duck.interfaces.files.outputs import Output, put_together, write_table
from tanon_duck.interfaces.temporary_folders import workshop

ENDING = ".manifest.json"


@dataclass(frozen=True)
class AccountedOutput:
    """The target of a release: the file, and ``<file>.manifest.json``, which is moved last."""

    path: Path
    force: bool

    @property
    def manifest(self) -> Path:
        """Return the path of the manifest."""
        return self.path.with_name(self.path.name + ENDING)

    def check(self) -> None:
        """Raise before any query if one of the files cannot be written."""
        Output(self.path, self.force).check()
        if self.manifest.is_dir():
            raise TanonError(f"{self.manifest} is a folder")
        if self.manifest.exists() and not self.force:
            raise TanonError(errors.file_exists(self.manifest) + "; --force replaces it")

    def write(self, connection: duckdb.DuckDBPyConnection, table: str, manifest: Manifest) -> None:
        """Write release and manifest with mode 0600 to a temporary folder, then move both."""
        target = self.path.resolve()
        with workshop(target.parent) as folder:
            part = folder / target.name
            write_table(connection, table, part, self.path)
            told = {**manifest, "file": bytes_of(part)}
            note = folder / (target.name + ENDING)
            note.write_text(written(told), encoding="utf-8")
            for file in (part, note):
                file.chmod(0o600)
            self.check()
            beside = target.with_name(target.name + ENDING)
            put_together([part, note], [target, beside], self.force)


def bytes_of(path: Path) -> dict[str, str | int]:
    """Return name, size and SHA-256 digest of a file, for the manifest."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"name": path.name, "bytes": path.stat().st_size, "sha256": digest}
