"""Where typed text comes from: prompt_toolkit when it is installed, one plain line otherwise."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Protocol, TextIO

from tanon_duck.doors.prompt.messages import FIRST, NEXT
from tanon_duck.doors.prompt.names import KnownNames


class Prompt(Protocol):
    """Asks for text; EOFError when the user leaves, KeyboardInterrupt when they start over."""

    def ask(self, first: bool) -> str:
        """The text typed, with its line end."""


class PlainPrompt:
    """One line at a time from any terminal."""

    def __init__(self, input: TextIO, output: TextIO) -> None:
        self._input = input
        self._output = output
        if input is sys.stdin:
            _edit_lines()

    def ask(self, first: bool) -> str:
        """One line, typed after the prompt."""
        prompt = FIRST if first else NEXT
        try:
            return self._line(prompt)
        except (EOFError, KeyboardInterrupt):
            # The terminal stands behind the prompt; what follows belongs on a line of its own.
            self._output.write("\n")
            raise

    def _line(self, prompt: str) -> str:
        if self._input is sys.stdin:
            return input(prompt) + "\n"
        self._output.write(prompt)
        self._output.flush()
        line = self._input.readline()
        if not line:
            raise EOFError
        return line


def _edit_lines() -> None:
    """Importing readline is what gives `input()` arrow keys; some Pythons come without it."""
    try:
        import readline  # noqa: F401
    except ImportError:
        return


def make_prompt(input: TextIO, output: TextIO, names: KnownNames, history: Path | None) -> Prompt:
    """The best prompt this installation and this terminal allow."""
    if input is sys.stdin and output is sys.stdout:
        try:
            from tanon_duck.doors.prompt.rich_prompt import RichPrompt
        except ImportError:
            return PlainPrompt(input, output)
        return RichPrompt(names, history)
    return PlainPrompt(input, output)
