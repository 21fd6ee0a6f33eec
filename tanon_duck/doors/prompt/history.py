"""Where the lines typed at the prompt are remembered."""

from __future__ import annotations

import os
import sys
from pathlib import Path

VARIABLE = "TANON_DUCK_HISTORY"


def history_path() -> Path | None:
    """`TANON_DUCK_HISTORY` when set (empty means no history), else the user's own place."""
    chosen = os.environ.get(VARIABLE)
    if chosen is not None:
        return Path(chosen).expanduser() if chosen else None
    return _state_folder() / "tanon-duck" / "history"


def prepare_history(path: Path | None) -> Path | None:
    """The path, private to its owner, or None where it cannot be written."""
    if path is None:
        return None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Queries over personal data name persons: nobody else should read them.
        path.touch(mode=0o600, exist_ok=True)
        if path.stat().st_mode & 0o077:
            path.chmod(0o600)
        writable = os.access(path, os.R_OK | os.W_OK)
    except OSError:
        return None
    return path if writable else None


def _state_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", str(Path.home() / "AppData" / "Local")))
    chosen = os.environ.get("XDG_STATE_HOME")
    return Path(chosen) if chosen else Path.home() / ".local" / "state"
