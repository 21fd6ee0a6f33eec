"""Twelve unusual granularities, each added as one entry: graph, metrics and least.

The reference knows only when granules start and end. A copy of the checkout gets the entries, since
the table is read once.
"""

import json
import os
import random
import shutil
import subprocess
import sys
from bisect import bisect_right
from datetime import datetime, timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from oracles.finer import granules_met
from oracles.generalization import exhaustive_least, metrics
from oracles.granules import moment

ENTRIES = """
GRANULARITIES = (
    *GRANULARITIES,
    of_time("shift_day", DAY, _FROM_MINUTE, begin=6 * HOUR),
    of_time("watch", DAY, _FROM_MINUTE, 6 * HOUR, ((0, 10 * HOUR), (10 * HOUR, DAY))),
    of_time("seven_hours", 7 * HOUR, _FROM_MINUTE),
    of_time("night", DAY, _FROM_MINUTE, 22 * HOUR, ((0, 8 * HOUR),)),
    of_time("week_saturday", WEEK, _FROM_DATE, begin=-2 * DAY),
    of_time("week_and_end", WEEK, _FROM_DATE, 0, ((0, 5 * DAY), (5 * DAY, WEEK))),
    of_time("one_and_three", 4 * WEEK, _FROM_DATE, 0, ((0, WEEK), (WEEK, 4 * WEEK))),
    part_of_month("uneven", "U", (1, 4, 20)),
    part_of_month("ten_days", "T", (1, 11, 21)),
    Granularity("payday", "months", 31, 0, ((0, 1),), _FROM_DATE),
    of_months("season", 3, "strftime(tanon_t, '%Y-%m')", begin=2),
    Granularity("term", "months", 372, 8 * 31, ((0, 124), (124, 217), (217, 372)), _FROM_DATE),
)
"""
FIRST, LAST = datetime(2009, 1, 1), datetime(2030, 1, 1)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def in_steps(begin, *lengths, gap=timedelta(0)):
    """Granules of these lengths in turn, the last followed by a gap."""
    while begin < LAST:
        for length in lengths:
            yield begin, begin + length
            begin += length
        begin += gap


def from_days(*days, until=0):
    """Granules that begin on these days of each month and end with the next, or on a last day."""
    for month in range(FIRST.year * 12, LAST.year * 12):
        starts = [datetime(month // 12, month % 12 + 1, day) for day in days]
        after = (month + 1) // 12, (month + 1) % 12 + 1, 1
        ends = [*starts[1:], starts[-1] + until * DAY if until else datetime(*after)]
        yield from zip(starts, ends, strict=True)


def from_months(*months):
    """Granules that begin with these months of each year."""
    starts = [datetime(year, m, 1) for year in range(FIRST.year, LAST.year) for m in months]
    return pairwise(starts)


MONDAY = datetime(2008, 12, 29)
UNUSUAL = {
    "shift_day": lambda: in_steps(FIRST + 6 * HOUR, DAY),
    "watch": lambda: in_steps(FIRST + 6 * HOUR, 10 * HOUR, 14 * HOUR),
    # 2000-01-03 and this are whole weeks, and so whole sevens of hours, apart.
    "seven_hours": lambda: in_steps(MONDAY, 7 * HOUR),
    "night": lambda: in_steps(FIRST + 22 * HOUR, 8 * HOUR, gap=16 * HOUR),
    "week_saturday": lambda: in_steps(MONDAY - 2 * DAY, 7 * DAY),
    "week_and_end": lambda: in_steps(MONDAY, 5 * DAY, 2 * DAY),
    "one_and_three": lambda: in_steps(datetime(2000, 1, 3), 7 * DAY, 21 * DAY),
    "uneven": lambda: from_days(1, 4, 20),
    "ten_days": lambda: from_days(1, 11, 21),
    "payday": lambda: from_days(1, until=1),
    "season": lambda: from_months(3, 6, 9, 12),
    "term": lambda: from_months(1, 4, 9),
}
BUILT_IN = (
    "day", "business_day", "week", "business_week", "five_days", "half_month", "month", "quarter",
    "year", "14 hours", "6 days", "2 weeks", "4 weeks", "6 months",
)  # fmt: skip
NAMES = (*UNUSUAL, *BUILT_IN)

SCRIPT = """
import json, sys
import tanon_duck

con = tanon_duck.connect(config={"threads": 1})
asked = json.load(sys.stdin)
con.execute("create table t (respondent integer, q varchar, t timestamp)")
answers = []
for rows, offer, k in asked["calls"]:
    con.execute("delete from t")
    con.executemany("insert into t values (?, ?, ?::timestamp)", rows)
    call = "('t', 'respondent', 'q', 't', $offer, $k)"
    given = {"offer": offer, "k": k}
    metrics = (
        "select granularity, feasible, gen_m, gen_s, groups, suppressed_tuples, least "
        "from tanon.granularity_metrics"
    )
    least = "select granularity from tanon.least_generalization"
    answers.append([con.execute(sql + call, given).fetchall() for sql in (metrics, least)])
graph = con.execute("from tanon.granularity_graph($names)", {"names": asked["names"]}).fetchall()
try:
    con.execute("from tanon.granularity_graph(['dekad', 'ten_days'])")
    equal = ""
except Exception as error:
    equal = str(error)
json.dump({"graph": graph, "equal": equal, "calls": answers}, sys.stdout)
"""


@cache
def granules(name):
    """(start, end) of every granule from 2009 to 2029."""
    if name in UNUSUAL:
        return list(UNUSUAL[name]())
    return [(moment(s), moment(e)) for s, e in granules_met(name, FIRST, LAST)]


@cache
def starts(name):
    return [start for start, _ in granules(name)]


def up(name):
    """The index of the granule of a time, None in a gap."""

    def index(at):
        place = bisect_right(starts(name), at) - 1
        return place if place >= 0 and at < granules(name)[place][1] else None

    return index


@cache
def finer(fine, coarse):
    inside = [(s, e) for s, e in granules(fine) if s.year > 2010 and e.year < 2028]
    held = granules(coarse)
    holders = (held[bisect_right(starts(coarse), s) - 1] for s, _ in inside)
    return all(s < end and e <= end for (s, e), (_, end) in zip(inside, holders, strict=True))


def calls():
    """Random rows, an offer of six of which few are comparable, and k."""
    draw = random.Random(5)
    for seed in range(12):
        spread = [3, 40, 400][seed % 3]
        rows = [
            (
                draw.randrange(9),
                draw.choice("ab"),
                datetime(2019, 2, 25) + draw.randrange(spread * 24) * HOUR,
            )
            for _ in range(40)
        ]
        yield rows, draw.sample(NAMES, 6), draw.choice([2, 3])


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """What a copy of the checkout says that has the entries."""
    copy = tmp_path_factory.mktemp("checkout")
    root = Path(__file__).parents[2]
    for folder in ("tanon_duck", "sql"):
        shutil.copytree(root / folder, copy / folder)
    with (copy / "tanon_duck/macros/granularities.py").open("a") as table:
        table.write(ENTRIES)
    asked = {
        "names": NAMES,
        "calls": [([[u, q, str(t)] for u, q, t in rows], *rest) for rows, *rest in calls()],
    }
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input=json.dumps(asked),
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def test_the_graph_is_what_starts_and_ends_say(answers):
    pairs = {(a, b) for a in NAMES for b in NAMES if a != b and finer(a, b)}
    direct = {
        (a, b) for a, b in pairs if not any((a, c) in pairs and (c, b) in pairs for c in NAMES)
    }
    assert sorted(map(tuple, answers["graph"])) == sorted(direct)
    assert {("five_days", "ten_days"), ("week_and_end", "week"), ("payday", "day")} <= direct


def test_equal_granularities_are_refused(answers):
    assert "must have different granules, got dekad and ten_days with the same" in answers["equal"]


def test_metrics_and_least_are_what_starts_and_ends_say(answers):
    for (rows, offer, k), (found, least) in zip(calls(), answers["calls"], strict=True):
        table = [{"respondent": u, "q": q, "t": t} for u, q, t in rows]
        wanted = {name: metrics(table, "respondent", ["q"], "t", up(name), k) for name in offer}
        best = exhaustive_least(wanted, finer)
        assert found == [
            [name, m.feasible, m.gen_m, m.gen_s, m.groups, m.suppressed_tuples, name in best]
            for name, m in wanted.items()
        ]
        assert {name for (name,) in least} <= best
        assert bool(least) == bool(best)
