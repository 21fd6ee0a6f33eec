"""The command ``tanon-duck``: its version at once, everything else once DuckDB is there."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tanon_duck._version import __version__


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 0, 1 for a failure, 2 for a wrong call."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words == ["--version"]:
        print(f"tanon_duck {__version__}")
        return 0
    from tanon_duck import commands

    return commands.main(words)
