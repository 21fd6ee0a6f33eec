"""Make the built files of a wheel: see ``tanon_duck/interfaces/built_files.py``."""

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Called by hatchling before it writes a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the files, and name them to hatchling; an editable install makes its own."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from tanon_duck.interfaces import built_files

        self._place = tempfile.TemporaryDirectory()
        folder = Path(self._place.name)
        built_files.make_all(folder)
        for path in folder.iterdir():
            build_data["force_include"][str(path)] = f"tanon_duck/built/{path.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the temporary folder."""
        if version != "editable":
            self._place.cleanup()
