"""The prompt with colours, history and completion; needs the extra `shell`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.lexers import PygmentsLexer
from pygments.lexers.sql import PostgresLexer

from tanon_duck.doors.prompt.messages import FIRST, NEXT
from tanon_duck.doors.prompt.names import KnownNames
from tanon_duck.doors.prompt.statements import is_complete
from tanon_duck.doors.prompt.suggestions import suggest


class RichPrompt:
    """Edits a whole statement, over as many lines as it takes."""

    def __init__(self, names: KnownNames, history: Path | None) -> None:
        remembered: History = FileHistory(str(history)) if history else InMemoryHistory()
        self._session: PromptSession[str] = PromptSession(
            history=remembered,
            completer=NameCompleter(names),
            complete_while_typing=False,
            lexer=PygmentsLexer(PostgresLexer),
            multiline=Condition(_goes_on),
            prompt_continuation=NEXT,
            enable_suspend=True,
        )

    def ask(self, first: bool) -> str:
        """Everything typed until the last statement ended."""
        return self._session.prompt(FIRST if first else NEXT) + "\n"


class NameCompleter(Completer):
    """Offers the names of the connection to prompt_toolkit."""

    def __init__(self, names: KnownNames) -> None:
        self._names = names

    def get_completions(self, document: Document, _event: CompleteEvent) -> Iterable[Completion]:
        """The suggestions for the text before the cursor."""
        for found in suggest(document.text_before_cursor, self._names.get()):
            yield Completion(found.text, -found.length, display_meta=found.about)


def _goes_on() -> bool:
    """Whether Enter starts another line instead of running what is there."""
    text = get_app().current_buffer.text
    return not text.lstrip().startswith(".") and not is_complete(text)
