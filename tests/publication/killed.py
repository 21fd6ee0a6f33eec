"""Advance a publication day by day in processes that are killed; run by test_killed.py.

Nothing is open in this process when it forks. A child says when it begins to advance; then it is
killed after a random time, wherever it is.
"""

import os
import random
import signal
import sys
import time
from datetime import date, timedelta

import tanon_duck

FIRST, DAYS = date(2024, 3, 1), 42


def advance_until_the_end(path, say=None):
    with tanon_duck.connect(path) as con:
        stream = tanon_duck.publication(con, "flu")
        seen = stream.manifest()["seen_upto"]
        day = FIRST if seen is None else seen + timedelta(1)
        if say is not None:
            os.write(say, b"!")
        while day < FIRST + timedelta(DAYS):
            stream.advance(day)
            day += timedelta(1)
        if say is None:
            stream.finish()


def main(path, kills, seed):
    rng = random.Random(seed)
    for _ in range(kills):
        heard, say = os.pipe()
        child = os.fork()
        if child == 0:
            advance_until_the_end(path, say)
            os._exit(0)
        os.read(heard, 1)
        time.sleep(rng.uniform(0, 0.06))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(heard)
        os.close(say)
    advance_until_the_end(path)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
