"""Where the history lives."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from tanon_duck.doors.prompt.history import VARIABLE, history_path, prepare_history


def test_the_variable_decides(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "h"))
    assert history_path() == tmp_path / "h"
    monkeypatch.setenv(VARIABLE, "")
    assert history_path() is None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has its own place")
def test_the_user_has_a_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert history_path() == tmp_path / "tanon-duck" / "history"
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert history_path() == tmp_path / ".local" / "state" / "tanon-duck" / "history"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    path = prepare_history(tmp_path / "new" / "history")
    assert path is not None
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_an_older_one_is_made_private(tmp_path: Path) -> None:
    path = tmp_path / "history"
    path.write_text("select 1;\n")
    path.chmod(0o644)
    assert prepare_history(path) == path
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_place_that_cannot_be_written_is_no_history(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert prepare_history(blocked / "history") is None
    assert prepare_history(None) is None
