"""The functions as a small database file that every connection attaches, instead of creating them.

Creating all macros takes DuckDB some hundred milliseconds, attaching a file of them about five. The
file is made once for each version of the package and of DuckDB, in the user's cache folder; where
that cannot be written the functions are created in memory each time. ``TANON_DUCK_CACHE`` names
another folder; empty, it turns the cache off.
"""

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import duckdb

from tanon_duck import __version__, catalog, python_functions, quoting

_KEPT = 4  # files of other versions that may stay


@cache
def file() -> Path | None:
    """The file of this version, made if need be; None where none can be kept."""
    folder = _folder()
    if folder is None:
        return None
    path = folder / f"{__version__}-{_digest()}.duckdb"
    if not path.exists():
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            _make(path)
            _drop_old(folder)
        except (OSError, duckdb.Error):
            return None
    return path if _is_ours(path) else None


def statements() -> str:
    """Everything in one transaction, for a catalog that is attached as ``tanon``."""
    return ";\n".join(["begin", *catalog.install_statements(), "commit"])


def _folder() -> Path | None:
    named = os.environ.get("TANON_DUCK_CACHE")
    if named is not None:
        return Path(named) if named else None
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "tanon_duck"
    except RuntimeError:  # no home
        return None


def _digest() -> str:
    """What the file depends on: DuckDB, and every source by name, size and time of change."""
    sources = hashlib.sha256(duckdb.__version__.encode())
    for root in (Path(__file__).parent, Path(str(catalog.sql_root()))):
        for path in sorted(_sources(root)):
            state = path.stat()
            sources.update(f"{path}|{state.st_size}|{state.st_mtime_ns}\n".encode())
    return sources.hexdigest()[:16]


def _sources(root: Path) -> Iterator[Path]:
    for folder, _, names in os.walk(root):
        yield from (Path(folder, name) for name in names if name.endswith((".py", ".sql")))


def _make(path: Path) -> None:
    """Written beside its place and moved there, so that nobody sees half of it."""
    with tempfile.TemporaryDirectory(dir=path.parent) as workshop:
        made = Path(workshop, path.name)
        with duckdb.connect() as scratch:
            python_functions.register(scratch)
            scratch.execute(f"attach {quoting.literal(str(made))} as tanon")
            scratch.execute(statements())
            scratch.execute("detach tanon")
        made.replace(path)


def _drop_old(folder: Path) -> None:
    files = sorted(folder.glob("*.duckdb"), key=lambda p: p.stat().st_mtime, reverse=True)
    for old in files[1 + _KEPT :]:
        with contextlib.suppress(OSError):
            old.unlink()


def _is_ours(path: Path) -> bool:
    """Whether nobody else could have put the file there: its macros will be run."""
    if not hasattr(os, "getuid"):
        return True
    state = path.stat()
    return state.st_uid == os.getuid() and not state.st_mode & 0o022
