"""Seeded random tables of dated rows, calendars, and what `up` means on them in plain Python."""

import itertools
import random
from datetime import datetime, timedelta

from oracles.granules import granule, instant

START = datetime(2023, 11, 20)
TYPES = '("the one" varchar, q1 integer, "q 2" varchar, "when" timestamp, note varchar)'
COLUMNS = ("the one", "q1", "q 2", "when", "note")


def _days(first: datetime, count: int, width: int) -> list[tuple[datetime, datetime]]:
    edges = [first + timedelta(days=width * i) for i in range(count + 1)]
    return list(itertools.pairwise(edges))


def _fiscal() -> list[tuple[datetime, datetime]]:
    return [(datetime(y, 10, 1), datetime(y + 1, 10, 1)) for y in range(2022, 2026)]


def _terms() -> list[tuple[datetime, datetime]]:
    return [
        (datetime(2023, 10, 16), datetime(2024, 2, 10)),
        (datetime(2024, 4, 15), datetime(2024, 7, 20)),
    ]


def _shifts() -> list[tuple[datetime, datetime]]:
    edges = [datetime(2023, 11, 1, 6) + timedelta(hours=8 * i) for i in range(3 * 230)]
    return list(itertools.pairwise(edges))


CALENDARS = {
    "fiscal year": _fiscal(),
    "term": _terms(),
    "shift": _shifts(),
    "fortnight": _days(datetime(2023, 10, 2), 40, 14),
}


def calendar_rows() -> list[tuple]:
    """(granularity, granule, label, starts, ends); numbers begin at 10 and skip some."""
    return [
        (name, 10 + 3 * number, f"{name} {number:05d}", starts, ends)
        for name, granules in CALENDARS.items()
        for number, (starts, ends) in enumerate(granules)
    ]


def create_calendar(con, name="calendar") -> None:
    con.execute(
        f"create table {name} "
        "(granularity varchar, granule bigint, label varchar, starts timestamp, ends timestamp)"
    )
    listed = ", ".join(repr(row[:3])[:-1] + f", '{row[3]}', '{row[4]}')" for row in calendar_rows())
    con.execute(f"insert into {name} values {listed}")


def up(granularity):
    """The function from a time to the index of its granule, None where there is none."""
    if granularity in CALENDARS:
        granules = [r for r in calendar_rows() if r[0] == granularity]

        def of_calendar(ts):
            return next((r[1] for r in granules if r[3] <= ts < r[4]), None)

        return of_calendar

    def built_in(ts):
        found = granule(granularity, instant(ts))
        return None if found is None else found.index

    return built_in


def label(granularity, ts):
    if granularity in CALENDARS:
        found = [r for r in calendar_rows() if r[0] == granularity and r[3] <= ts < r[4]]
        return found[0][2] if found else None
    found = granule(granularity, instant(ts))
    return None if found is None else found.label


def dated_rows(seed: int, largest: int = 60) -> list[dict]:
    """Few values and few respondents, so that groups meet; NULL, ties and repeated rows."""
    draw = random.Random(seed)
    people, span = draw.randint(1, 12), draw.choice([3, 30, 200])
    rows = [
        {
            "the one": f"p{draw.randint(1, people)}",
            "q1": draw.choice([None, 0, 1]),
            "q 2": draw.choice([None, "x"]) if seed % 2 else "x",
            "when": START + timedelta(hours=draw.randint(0, 24 * span)),
            "note": draw.choice("abc"),
        }
        for _ in range(draw.randint(0, 2) if seed % 4 == 1 else draw.randint(5, largest))
    ]
    if seed % 3 == 0:  # no weekends, so that business days are feasible
        for row in rows:
            row["when"] -= timedelta(days=max(0, row["when"].weekday() - 4))
    return rows + rows[: len(rows) // 4]


def create_rows(con, rows, name="events") -> None:
    con.execute(f"create or replace table {name} {TYPES}")
    if rows:
        con.executemany(
            f"insert into {name} values (?, ?, ?, ?, ?)",
            [[row[column] for column in COLUMNS] for row in rows],
        )
