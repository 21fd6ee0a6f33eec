"""Completion in the shells themselves."""

import shutil
import subprocess
import sys

import pytest

from tanon_duck import cli
from tanon_duck.macros import catalog


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("completion")
    for shell in ("bash", "zsh", "fish"):
        made = subprocess.run(
            [sys.executable, "-m", "tanon_duck", "completion", shell],
            capture_output=True,
            check=True,
        )
        (folder / f"complete.{shell}").write_bytes(made.stdout)
    (folder / "visits.parquet").touch()
    return folder


def in_bash(folder, *words):
    typed = " ".join(f"'{word}'" for word in ("tanon-duck", *words))
    code = (
        f"source complete.bash; COMP_WORDS=({typed}); COMP_CWORD={len(words)}; "
        "_tanon_duck; printf '%s\\n' \"${COMPREPLY[@]}\""
    )
    ran = subprocess.run(["bash", "-c", code], cwd=folder, capture_output=True, text=True)
    assert ran.stderr == ""
    return set(ran.stdout.split())


def test_bash(scripts):
    assert in_bash(scripts, "k_anonymity_v") == {"k_anonymity_violations"}
    assert in_bash(scripts, "") >= {*catalog.functions(), "check", "shell", "completion"}
    assert in_bash(scripts, "k_anonymity", "--gran") == {"--granularity"}
    assert in_bash(scripts, "k-anonymity", "--gran") == {"--granularity"}
    assert in_bash(scripts, "check", "--val") == {"--values"}
    assert in_bash(scripts, "k_anonymity", "vis") == {"visits.parquet"}
    assert in_bash(scripts, "completion", "fi") == set()
    assert in_bash(scripts, "publish_series", "--scale", "") == {"none", "position", "series"}


@pytest.mark.skipif(not shutil.which("fish"), reason="fish is not installed")
def test_fish(scripts):
    def completed(typed):
        code = f"source complete.fish; complete -C '{typed}'"
        ran = subprocess.run(["fish", "-c", code], cwd=scripts, capture_output=True, text=True)
        assert ran.stderr == ""
        return {line.split("\t")[0] for line in ran.stdout.splitlines()}

    assert "k_anonymity_violations" in completed("tanon-duck k_anonymity_v")
    assert "--granularity" in completed("tanon-duck k_anonymity --gran")
    assert completed("tanon-duck publish_series --scale ") >= {"none", "position", "series"}


@pytest.mark.skipif(not shutil.which("zsh"), reason="zsh is not installed")
def test_zsh_reads_it(scripts):
    code = "autoload -U compinit; compinit -D -u; source complete.zsh; print $_comps[tanon-duck]"
    ran = subprocess.run(["zsh", "-f", "-c", code], cwd=scripts, capture_output=True, text=True)
    assert (ran.stdout, ran.stderr) == ("_tanon_duck\n", "")


def test_an_unknown_shell(capsys):
    with pytest.raises(SystemExit):
        cli.main(["completion", "tcsh"])
    assert "invalid choice: 'tcsh'" in capsys.readouterr().err
