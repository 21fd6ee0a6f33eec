"""Who waits for buckets sees how many are done; who stops them leaves nothing behind."""

import io
import signal
import subprocess
import sys

from scaling.sharded import walks

import tanon_duck
from tanon_duck.doors import unfinished
from tanon_duck.scaling import progress

# What runs in the background is born deaf to Ctrl-C.
SLOW = """
import signal, sys, tanon_duck
signal.signal(signal.SIGINT, signal.default_int_handler)
con = tanon_duck.connect(config={"threads": 1})
buckets = tanon_duck.buckets(con, partitions=2, folder=sys.argv[1], processes=int(sys.argv[2]))
source = "(select i as t, unnest(list_transform(range(6), lambda j: hash(i, j) % 500)) as a"
source += " from range(2000000) as t(i))"
print("begun", flush=True)
buckets.closed_itemsets(source, tid="t", item="a", min_support=20, into=sys.argv[1] + "/release")
print("done", flush=True)
"""


class Terminal(io.StringIO):
    def isatty(self):
        return True


def shown(con, monkeypatch, terminal):
    walks(con, 60)
    monkeypatch.setattr(progress.sys, "stderr", terminal)
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", 0.0)
    tanon_duck.buckets(con, partitions=3).kp_anonymize("walks", id="who", series="walk", k=8, p=3)
    return [line.strip() for line in terminal.getvalue().split("\r") if line.strip()]


def test_a_terminal_shows_stages_and_shards(con, monkeypatch):
    lines = shown(con, monkeypatch, Terminal())
    assert lines[0].startswith("tanon.kp_anonymize: stage 1 of ")
    assert any("shard 3 of 3" in line for line in lines)


def test_a_file_shows_nothing(con, monkeypatch):
    assert shown(con, monkeypatch, io.StringIO()) == []


def test_what_is_stopped_leaves_no_row_behind(tmp_path):
    for processes in ("1", "2"):
        running = subprocess.Popen(
            [sys.executable, "-c", SLOW, str(tmp_path), processes],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert running.stdout.readline() == "begun\n"
        while not any(tmp_path.glob(f"{unfinished.PREFIX}*/0/*")):  # rows of people lie there
            assert running.poll() is None
        assert all(p.stat().st_mode & 0o077 == 0 for p in tmp_path.glob(f"{unfinished.PREFIX}*"))
        running.send_signal(signal.SIGINT)
        out, _ = running.communicate(timeout=300)
        assert running.returncode != 0 and "done" not in out
        assert list(tmp_path.iterdir()) == []
