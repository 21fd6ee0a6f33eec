"""Who waits for buckets sees how many are done; who stops them leaves nothing behind."""

import io
import signal
import subprocess
import sys

from scaling.sharded import walks
from waiting import LONGEST

import tanon_duck
from tanon_duck import scaling
from tanon_duck.interfaces import temporary_folders
from tanon_duck.scaling import progress

# What runs in the background is born deaf to Ctrl-C.
SLOW = """
import signal, sys, tanon_duck
from tanon_duck import scaling
signal.signal(signal.SIGINT, signal.default_int_handler)
con = tanon_duck.connect(config={"threads": 1})
buckets = scaling.buckets(con, partitions=2, folder=sys.argv[1], processes=int(sys.argv[2]))
source = "(select i as t, unnest(list_transform(range(6), lambda j: hash(i, j) % 500)) as a"
source += " from range(2000000) as t(i))"
print("begun", flush=True)
arguments = {"result": "closed", "transaction": "t", "item": "a", "min_support": 20}
buckets.frequent_itemsets(source, into=sys.argv[1] + "/release", **arguments)
print("done", flush=True)
"""


class Terminal(io.StringIO):
    def isatty(self):
        return True


def shown(con, monkeypatch, terminal):
    walks(con, 60)
    monkeypatch.setattr(progress.sys, "stderr", terminal)
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", 0.0)
    scaling.buckets(con, partitions=3).publish_series(
        "walks", series_id="who", series="walk", k=8, p=3
    )
    return [line.strip() for line in terminal.getvalue().split("\r") if line.strip()]


def test_a_terminal_shows_stages_and_shards(con, monkeypatch):
    lines = shown(con, monkeypatch, Terminal())
    assert lines[0].startswith("tanon.publish_series: stage 1 of ")
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
        while not any(
            tmp_path.glob(f"{temporary_folders.PREFIX}*/0/*")
        ):  # rows of people lie there
            assert running.poll() is None
        assert all(
            p.stat().st_mode & 0o077 == 0 for p in tmp_path.glob(f"{temporary_folders.PREFIX}*")
        )
        running.send_signal(signal.SIGINT)
        out, _ = running.communicate(timeout=LONGEST)
        assert running.returncode != 0 and "done" not in out
        assert list(tmp_path.iterdir()) == []


def test_no_asynchronous_thread_writes_a_bucket(con, tmp_path):
    """DuckDB 2.0.0 can wait for ever for the tasks of these threads after an interrupt."""
    con.execute("set async_threads = 3")
    threads = "current_setting('async_threads')::varchar"
    source = f"(select i as t, {threads} as a from range(20) as r(i))"
    buckets = scaling.buckets(con, partitions=2, folder=tmp_path)
    found = buckets.frequent_itemsets(
        source, result="closed", transaction="t", item="a", min_support=1
    )
    assert found.column("itemset").to_pylist() == [["0"]]
    assert con.execute(f"select {threads}").fetchone() == ("3",)


def test_a_locked_configuration_does_not_keep_a_bucket_from_being_written(tmp_path):
    with tanon_duck.connect() as con:
        con.execute("set lock_configuration = true")
        buckets = scaling.buckets(con, partitions=2, folder=tmp_path)
        source = "(select i as t, 'bread' as a from range(20) as r(i))"
        found = buckets.frequent_itemsets(
            source, result="closed", transaction="t", item="a", min_support=1
        )
        assert found.column("itemset").to_pylist() == [["bread"]]
