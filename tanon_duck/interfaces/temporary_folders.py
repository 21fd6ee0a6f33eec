"""Create private folders for unfinished files, and remove the folders of killed processes.

A process locks a file in its folder while it runs. If no process holds the lock, the next process
removes the folder. It removes only folders with our prefix, mode 0700 and an empty lock file.
"""

import contextlib
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # Windows: nothing tells which folders are left over, so none are taken away
    fcntl = None  # type: ignore[assignment]

PREFIX = ".tanon-duck-unfinished-"
_NEW = ".tanon-duck-new-"
_LOCK = ".tanon-duck-lock"
_DRAWN = re.compile("[a-z0-9_]{8}")  # what tempfile puts behind a prefix


@contextmanager
def workshop(place: Path) -> Iterator[Path]:
    """Yield a new hidden folder in ``place`` for unfinished files; then remove it."""
    folder, lock = locked_folder(place, PREFIX)
    try:
        yield folder
    finally:
        remove(folder)
        lock.close()


def locked_folder(place: Path, prefix: str) -> tuple[Path, IO[bytes]]:
    """Create a folder with mode 0700; return it with its open lock file, which holds the lock."""
    remove_left_over(place, prefix)
    # It gets the name that is looked for only once it is locked.
    made = Path(tempfile.mkdtemp(prefix=_NEW, dir=place))
    lock = (made / _LOCK).open("wb")
    try:
        if fcntl is not None:
            with contextlib.suppress(OSError):  # some file systems have none: nothing is removed
                fcntl.flock(lock, fcntl.LOCK_EX)
        folder = made.with_name(made.name.replace(_NEW, prefix))
        os.rename(made, folder)  # noqa: PTH104 - what is moved is a name
    except BaseException:
        lock.close()
        shutil.rmtree(made, ignore_errors=True)
        raise
    return folder, lock


def remove_left_over(place: Path, prefix: str) -> None:
    """Remove the folders in ``place`` whose processes no longer run."""
    if fcntl is None:
        return
    for folder in place.glob(f"{prefix}*"):
        with contextlib.suppress(OSError):
            if _DRAWN.fullmatch(folder.name.removeprefix(prefix)) and _is_own(folder):
                _remove_unless_locked(folder)


def _is_own(folder: Path) -> bool:
    """Return whether the folder has our owner, mode 0700 and an empty lock file."""
    state, lock = folder.lstat(), (folder / _LOCK).lstat()
    is_ours_alone = state.st_uid == os.getuid() and stat.S_IMODE(state.st_mode) == 0o700
    is_empty_file = stat.S_ISREG(lock.st_mode) and lock.st_size == 0
    return stat.S_ISDIR(state.st_mode) and is_ours_alone and is_empty_file


def _remove_unless_locked(folder: Path) -> None:
    with (folder / _LOCK).open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        remove(folder)


def remove(folder: Path) -> None:
    """Remove a folder, its lock file last, so that an interrupted removal can be continued."""
    with contextlib.suppress(OSError):
        for each in folder.iterdir():
            if each.is_dir() and not each.is_symlink():
                shutil.rmtree(each, ignore_errors=True)
            elif each.name != _LOCK:
                each.unlink()
    shutil.rmtree(folder, ignore_errors=True)
