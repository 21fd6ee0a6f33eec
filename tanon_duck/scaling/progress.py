"""A line on the terminal for whoever waits longer than two seconds: how many shards are done."""

import sys
import time

from tanon_duck.interfaces.progress_bar import PATIENCE_SECONDS, Line


class Progress:
    """Written on a terminal only, over itself, and wiped away at the end."""

    def __init__(self, function: str, stages: int) -> None:
        self._function, self._stages = function, stages
        self._line, self._began = Line(sys.stderr), time.monotonic()
        self._stage = self._done = self._of = 0

    def stage(self, shards: int) -> None:
        """Another stage has begun."""
        self._stage, self._done, self._of = self._stage + 1, -1, shards
        self.done()

    def done(self) -> None:
        """One more of its shards is done."""
        self._done += 1
        seconds = time.monotonic() - self._began
        if seconds >= PATIENCE_SECONDS:
            stage = f"stage {self._stage} of {max(self._stage, self._stages)}"
            shard = f"shard {self._done} of {self._of}"
            self._line.draw(f"{self._function}: {stage}, {shard}, {seconds:.0f} s")

    def close(self) -> None:
        """Leave the line as it was."""
        self._line.wipe()
