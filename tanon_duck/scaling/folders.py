"""Write a release into a folder that appears complete or not at all."""

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tanon_duck.errors import TanonError, file_exists
from tanon_duck.interfaces.temporary_folders import workshop


@contextmanager
def whole(target: str | Path, overwrite: bool = False) -> Iterator[Path]:
    """Yield a temporary folder that replaces the target after the block succeeds.

    If the block raises, the target is unchanged. An older release is deleted last. A folder is only
    replaced if it contains nothing but parts of a release.
    """
    target = Path(target).absolute()
    if target.exists() and not overwrite:
        raise TanonError(file_exists(target))
    if target.exists() and not _is_a_release(target):
        raise TanonError(f"{target} must contain only parts of a release, got other files")
    target.parent.mkdir(parents=True, exist_ok=True)
    with workshop(target.parent) as place:
        staging = place / target.name
        staging.mkdir()
        yield staging
        _take_place(staging, target)


def _is_a_release(target: Path) -> bool:
    """Return whether a folder contains nothing but files part-*.parquet."""
    return target.is_dir() and all(
        path.is_file() and path.match("part-*.parquet") for path in target.iterdir()
    )


def _take_place(staging: Path, target: Path) -> None:
    """Rename the new folder to the target, and delete the older release."""
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
