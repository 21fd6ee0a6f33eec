"""The kinds of files that are read and written, known by how their names end."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Format:
    """How DuckDB or Arrow reads and writes one kind of file."""

    name: str
    reader: str = ""  # a table function of DuckDB; empty where Arrow reads
    options: str = ""  # of COPY ... TO
    may_be_gzipped: bool = False


_PARQUET = Format("parquet", "read_parquet", "format parquet")
_ARROW = Format("arrow")
_FORMATS = {
    ".parquet": _PARQUET,
    ".pq": _PARQUET,
    ".csv": Format("csv", "read_csv", "format csv, header", True),
    ".tsv": Format("csv", "read_csv", "format csv, header, delimiter '\t'", True),
    ".json": Format("json", "read_json", "format json, array true", True),
    ".ndjson": Format("json", "read_json", "format json", True),
    ".jsonl": Format("json", "read_json", "format json", True),
    ".arrow": _ARROW,
    ".feather": _ARROW,
    ".ipc": _ARROW,
}
ENDINGS = ", ".join(_FORMATS)


def format_of(path: Path) -> Format | None:
    """The format that the file's name tells, None for a name that tells none."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    zipped = suffixes[-1:] == [".gz"]
    found = _FORMATS.get("".join(suffixes[-2:-1] if zipped else suffixes[-1:]))
    return found if found and (found.may_be_gzipped or not zipped) else None


def is_gzipped(path: Path) -> bool:
    """Whether the file is compressed besides."""
    return path.suffix.lower() == ".gz"
