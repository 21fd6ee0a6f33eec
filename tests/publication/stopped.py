"""Advance a publication in processes that end inside their writes; run by test_stopped.py.

    cc -shared -fPIC -o stop.so stop_at_write.c -ldl
    LD_PRELOAD=$PWD/stop.so python stopped.py FOLDER KILLS SEED [DAYS OF A STEP]

Nothing is open in this process when it forks. Each child advances once and closes the file; most
end at a call that writes, syncs, cuts or removes a file of the database, drawn from all calls that
such a step makes. A pass that reaches the end is compared with one that nobody stopped.
"""

import ctypes
import os
import random
import shutil
import signal
import sys
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import tanon_duck
from tanon_duck import demo

FIRST, LAST = date(2024, 3, 1), date(2024, 4, 11)
TABLES = (
    *("released", "suppressed", "state_plan", "state_open", "state_counts", "state_seen"),
    "state_repeats",
)
HOOK = ctypes.CDLL(None)
# DuckDB may refuse a log that an end left beside its file; our error then says what to do.
UNREADABLE, LOG_AWAY = 3, "logs moved away"
ENDS = {0: "whole steps", signal.SIGKILL: "killed", UNREADABLE << 8: LOG_AWAY}


def begin(path):
    with tanon_duck.connect(path) as con:
        demo.create_tables(con)
        tanon_duck.publication(
            con,
            "flu",
            "cases",
            respondent="person",
            ts="day",
            sensitive="disease",
            qi=["age", "district"],
            l=2,
            w=4,
        )


def step(path, days, busy):
    """Advance once, or finish at the end of the stream; whether it has ended."""
    with tanon_duck.connect(path) as con:
        if busy:  # the file is written as part of the commit too, not only as it is closed
            con.execute("set wal_autocheckpoint = '1KB'")
        stream = tanon_duck.publication(con, "flu")
        seen = stream.manifest()["seen_upto"] or FIRST - timedelta(1)
        if stream.manifest()["finished"]:
            return True
        if seen < LAST:
            stream.advance(min(seen + timedelta(days), LAST))
            return False
        stream.finish()
        return True


def child(path, days, busy, nth, tears):
    """Fork; how the step ended, how many calls it made, whether the stream has ended."""
    heard, say = os.pipe()
    pid = os.fork()
    if pid == 0:
        HOOK.tanon_arm(str(path).encode(), ctypes.c_long(nth), int(tears))
        try:
            finished = step(path, days, busy)
        except tanon_duck.TanonError as error:
            os._exit(UNREADABLE if f"move {path}.wal away" in str(error) else 1)
        os.write(say, f"{HOOK.tanon_calls()} {int(finished)}".encode())
        os._exit(0)
    os.close(say)
    with os.fdopen(heard) as said:
        calls, finished = map(int, (said.read() or "0 0").split())
    _, status = os.waitpid(pid, 0)
    return status, calls, bool(finished)


def state(path):
    with tanon_duck.connect(path) as con:
        rows = {t: con.execute(f"from flu.{t} order by all").fetchall() for t in TABLES}
        stream = tanon_duck.publication(con, "flu")
        stream.verify()
        return rows, stream.individuals().fetchall(), stream.values().fetchall()


def main(folder, kills, seed, days=1):
    rng, folder = random.Random(seed), Path(folder)
    begun, path = folder / "begun.duckdb", folder / "stream.duckdb"
    begin(begun)
    shutil.copy(begun, path)
    most, finished = 0, False
    while not finished:
        status, calls, finished = child(path, days, rng.random() < 0.5, 0, False)
        assert status == 0
        most = max(most, calls)
    wanted, done = state(path), Counter()
    while done["killed"] < kills:
        for left in folder.glob("stream.duckdb*"):
            left.unlink()
        shutil.copy(begun, path)
        done["passes"] += 1
        found = one_pass(path, days, rng, most, kills, done)
        assert found == wanted, f"another release, pass {done['passes']}"
        print(dict(done), "calls of a step at most", most, flush=True)


def one_pass(path, days, rng, most, kills, done):
    """What stands in the end where steps are ended until they are whole."""
    finished = False
    while True:
        while not finished:
            nth = rng.randint(1, round(1.3 * most)) if done["killed"] < kills else 0
            status, _, finished = child(path, days, rng.random() < 0.3, nth, rng.random() < 0.5)
            assert status in ENDS, status
            done[ENDS[status]] += 1
            if ENDS[status] == LOG_AWAY:  # as the error says
                path.with_name(f"{path.name}.wal").unlink()
        try:
            return state(path)
        except tanon_duck.TanonError as error:
            log = path.with_name(f"{path.name}.wal")
            assert f"move {log} away" in str(error), error
            log.unlink()
            done[LOG_AWAY] += 1
            finished = False


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
