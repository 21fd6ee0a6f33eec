"""Advance and deliver day by day in processes that are killed; run by test_deliveries.py.

Nothing is open in this process when it forks. A child says when it begins; then it is killed after
a random time, wherever it is. The last one goes on to the end.
"""

import os
import random
import signal
import sys
import time
from datetime import date, timedelta

import tanon_duck

FIRST, DAYS = date(2024, 3, 1), 42


def deliver_until_the_end(path, folder, say=None):
    with tanon_duck.connect(path) as con:
        stream = tanon_duck.publication(con, "flu")
        seen = stream.manifest()["seen_upto"]
        if say is not None:
            os.write(say, b"!")
        day = FIRST + timedelta(9) if seen is None else seen + timedelta(3)
        while day < FIRST + timedelta(DAYS):
            stream.advance(day)
            stream.deliver(folder)
            day += timedelta(3)
        if say is None:
            stream.advance(FIRST + timedelta(DAYS - 1))
            stream.finish()
            stream.deliver(folder)


def main(path, folder, kills, seed):
    rng = random.Random(seed)
    for _ in range(kills):
        heard, say = os.pipe()
        child = os.fork()
        if child == 0:
            deliver_until_the_end(path, folder, say)
            os._exit(0)
        os.read(heard, 1)
        time.sleep(rng.uniform(0.05, 0.6))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(heard)
        os.close(say)
    deliver_until_the_end(path, folder)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
