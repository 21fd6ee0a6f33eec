"""Random walks as a table, and what an adversary who knows the readings makes of a release."""

from collections import Counter

import numpy as np
import series_tables

from oracles.simple_release import word


def load(con, rows=300, points=3, kinds=1000):
    """The table t (who, s, secret) of random walks; returns them."""
    series = series_tables.walks(rows, points, 3)
    series_tables.load_series(con, series)
    con.execute(f"update t set secret = secret % {kinds}")
    return series


def rows_that_fit(published, own, reads_own_pattern):
    """The rows that may be a person's, by the ranges and, if it is there, own_pattern."""
    words = {}
    found = []
    for row in published:
        if not all(a <= x <= b for a, x, b in zip(row["low"], own, row["high"], strict=True)):
            continue
        if reads_own_pattern:
            if row["level"] not in words:
                letters = word(own, row["level"])
                words[row["level"]] = "".join(chr(97 + i) for i in letters)
            if (words[row["level"]] == row["word"]) != row["own_pattern"]:
                continue
        found.append(row)
    return found


def below(published, series, p, reads_own_pattern=False):
    """How many persons find fewer than P rows, and some."""
    sizes = [len(rows_that_fit(published, own, reads_own_pattern)) for own in np.asarray(series)]
    return sum(0 < n < p for n in sizes)


def fetch(con, sql):
    """The rows of a query as dictionaries."""
    found = con.execute(sql)
    names = [column[0] for column in found.description]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def in_place(published, wanted):
    """How many rows hold the secret that a guess of their place says."""
    return sum(a == b for a, b in zip(published, wanted, strict=True))


def classes(rows):
    return Counter((tuple(r["low"]), tuple(r["high"]), r["word"], r["level"]) for r in rows)


def hits_at_the_bounds(con, call, group, order):
    """The adversary takes the first row of a class for whoever reaches its first upper bound."""
    con.execute(
        "create or replace table released as select r.*, t.s as own "
        f"from ({call}) as r join t using (who) order by {group}, {order}"
    )
    return con.execute(
        "select count(*) filter (own[1] = high[1]), count(*), avg(most / n) from (select *, "
        f"row_number() over (partition by {group} order by rowid) as place, "
        f"count(*) over (partition by {group}) as n, "
        f"count(*) filter (own[1] = high[1]) over (partition by {group}) as most "
        "from released) where place = 1"
    ).fetchall()[0]


def hits_by_place(con, sql):
    """How many of the places of the source that a release shows, one a row, it has them at."""
    found = [place for (place,) in con.execute(f"select place {sql}").fetchall()]
    places = list(range(1, len(found) + 1))
    assert sorted(found) == places
    return in_place(found, places), len(found), 1 / len(found)
