"""Read the values of a question that the page sends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tanon_duck.errors import TanonError, must_be

Question = Mapping[str, Any]


def text(question: Question, name: str) -> str:
    """Return the text `name` of a question, or raise."""
    found = question.get(name)
    if not isinstance(found, str):
        raise TanonError(must_be("explore", name, "a text", repr(found)))
    return found


def texts(question: Question, name: str) -> list[str]:
    """Return the list of texts `name` of a question, or raise."""
    found = question.get(name)
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise TanonError(must_be("explore", name, "a list of texts", repr(found)))
    return found


def whole(question: Question, name: str) -> int:
    """Return the whole number `name` of a question, or raise."""
    found = question.get(name)
    if not isinstance(found, int) or isinstance(found, bool):
        raise TanonError(must_be("explore", name, "a whole number", repr(found)))
    return found
