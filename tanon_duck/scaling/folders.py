"""A release in a folder: written beside its place, and there whole or not at all."""

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tanon_duck.errors import TanonError, file_exists
from tanon_duck.interfaces.temporary_folders import workshop


@contextmanager
def whole(target: str | Path, overwrite: bool = False) -> Iterator[Path]:
    """A new folder that takes the place of the target once all is well.

    What goes wrong before leaves the target as it was; an older release goes last. Only a folder
    with nothing but parts of a release is replaced.
    """
    target = Path(target).absolute()
    if target.exists() and not overwrite:
        raise TanonError(file_exists(target))
    if target.exists() and not _is_a_release(target):
        raise TanonError(f"{target} holds more than the parts of a release, and is left as it is")
    target.parent.mkdir(parents=True, exist_ok=True)
    with workshop(target.parent) as place:
        staging = place / target.name
        staging.mkdir()
        yield staging
        _take_place(staging, target)


def _is_a_release(target: Path) -> bool:
    return target.is_dir() and all(
        path.is_file() and path.match("part-*.parquet") for path in target.iterdir()
    )


def _take_place(staging: Path, target: Path) -> None:
    if not target.exists():
        staging.rename(target)
        return
    aside = target.with_name(f".{target.name}.{secrets.token_hex(4)}.old")
    target.rename(aside)
    try:
        staging.rename(target)
    except BaseException:
        aside.rename(target)
        raise
    shutil.rmtree(aside, ignore_errors=True)
