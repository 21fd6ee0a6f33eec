"""Copy inputs that DuckDB cannot read directly: standard input, and text in other encodings."""

from __future__ import annotations

import gzip
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tanon_duck import errors
from tanon_duck.errors import TanonError
from tanon_duck.interfaces import spill_folder
from tanon_duck.interfaces.files.file_formats import compression_of, ending_of, format_of

STDIN = Path("-")
_START = 4096


@dataclass(frozen=True)
class Reading:
    """Settings for reading files: text columns, encoding, and table of a database."""

    as_text: tuple[str, ...] = ()
    encoding: str = ""
    table: str = ""  # of a database file
    is_policy: bool = False  # a policy has keys, the command line has options

    def setting(self, name: str, value: str = "") -> str:
        """Return how the user types a setting: ``--encoding latin-1``, ``encoding = 'latin-1'``."""
        if self.is_policy:
            return f"{name} = {value!r}" if value else name
        return f"--{name} {value}".rstrip()


@contextmanager
def staged(inputs: dict[str, list[Path]], reading: Reading) -> Iterator[dict[str, list[Path]]]:
    """Yield the inputs as readable files; remove the temporary copies afterwards."""
    with tempfile.TemporaryDirectory(dir=spill_folder.private_folder()) as folder:
        yield {
            name: [_staged(path, Path(folder, f"{name} {i}"), reading) for i, path in enumerate(p)]
            for name, p in inputs.items()
        }


def _staged(path: Path, place: Path, reading: Reading) -> Path:
    if path == STDIN:
        path = _received(sys.stdin.buffer, place)
    found = format_of(path)
    if not reading.encoding or found is None or not found.may_be_compressed:
        return path
    return _in_utf_8(path, place.with_suffix(f".utf-8.{found.name}"), reading)


def _received(stream: IO[bytes], place: Path) -> Path:
    """Copy a stream to a file whose ending names the format."""
    start = stream.read(_START)
    if not start:
        raise TanonError(errors.empty_file("standard input"))
    path = place.with_suffix(ending_of(start))
    with path.open("wb") as file:
        file.write(start)
        shutil.copyfileobj(stream, file)
    return path


def _in_utf_8(path: Path, place: Path, reading: Reading) -> Path:
    """Copy a text file to ``place`` in UTF-8; return ``place``."""
    encoding = reading.encoding
    if compression_of(path) == "zstd":
        raise TanonError(f"{path} must be unpacked to be read in {encoding}")
    opened = gzip.open if compression_of(path) else open
    try:
        with (
            opened(path, "rt", encoding=encoding, newline="") as text,
            place.open("w", encoding="utf-8", newline="") as copy,
        ):
            shutil.copyfileobj(text, copy)
    except UnicodeError:
        setting = reading.setting("encoding", "latin-1")
        raise TanonError(errors.not_in_encoding(path, encoding, setting)) from None
    return place
