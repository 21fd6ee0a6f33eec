"""Recognize file formats by the ends of file names, for example ``.csv.gz``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Format:
    """How DuckDB or Arrow reads and writes one kind of file."""

    name: str
    reader: str = ""  # a table function of DuckDB; empty where Arrow or an attached file is read
    options: str = ""  # of COPY ... TO
    may_be_compressed: bool = False
    is_written: bool = True


_PARQUET = Format("parquet", "read_parquet", "format parquet")
_ARROW = Format("arrow")
_DATABASE = Format("duckdb", is_written=False)
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
    ".duckdb": _DATABASE,
    ".db": _DATABASE,
}
_COMPRESSED = {".gz": "gzip", ".zst": "zstd"}
ENDINGS = ", ".join(_FORMATS)
WRITTEN_ENDINGS = ", ".join(ending for ending, format in _FORMATS.items() if format.is_written)
# What standard output may hold: CSV unless another is asked for.
STREAMED = ("csv", "tsv", "json", "ndjson", "parquet", "arrow")


def format_of(path: Path) -> Format | None:
    """Return the format of a file by its name, or None if the ending is unknown."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    zipped = suffixes[-1:] and suffixes[-1] in _COMPRESSED
    found = _FORMATS.get("".join(suffixes[-2:-1] if zipped else suffixes[-1:]))
    return found if found and (found.may_be_compressed or not zipped) else None


def compression_of(path: Path) -> str:
    """Return ``gzip`` or ``zstd`` if the file name ends so, else an empty text."""
    return _COMPRESSED.get(path.suffix.lower(), "")


def ending_of(start: bytes) -> str:
    """Return the file ending for data by its first bytes, because standard input has no name."""
    if start[8:12] == b"DUCK":
        return ".duckdb"
    known = {
        b"PAR1": ".parquet",
        b"ARROW1": ".arrow",
        b"\xff\xff\xff\xff": ".arrow",
        b"\x1f\x8b": ".csv.gz",
        b"\x28\xb5\x2f\xfd": ".csv.zst",
    }
    for mark, ending in known.items():
        if start.startswith(mark):
            return ending
    return ".json" if start.lstrip().startswith((b"[", b"{")) else ".csv"
