"""Instants at which calendars go wrong, and random ones of the years 1 to 9999."""

import random
from datetime import datetime, timedelta

ZONES = (
    "America/New_York",
    "America/St_Johns",  # was set back from 00:01 to the day before
    "Australia/Lord_Howe",  # by half an hour
    "America/Sao_Paulo",  # forward at midnight
    "Asia/Kathmandu",
    "Pacific/Apia",  # left out a day
    "Europe/Berlin",
)
BUCKETS = (
    "1 second",
    "15 minutes",
    "36 hours",
    "3 days",
    "2 weeks",
    "7 months",
    "2 quarters",
    "33 years",
    "9999 years",
    "3 decades",
)
_CHANGES = (
    (2009, 11, 1),
    (2009, 3, 8),
    (2009, 10, 25),
    (2009, 4, 5),
    (2010, 2, 21),
    (2011, 12, 30),
)


def instants(count: int = 300) -> list[datetime]:
    """Edges of months, ISO years and the calendar itself, and seeded random instants."""
    draw = random.Random(7)
    found = [datetime.min, datetime.max, datetime(1970, 1, 1), datetime(1969, 12, 31, 23, 59, 59)]
    for year in (1, 2, 999, 1900, 1999, 2000, 2020, 2024, 2025, 9999):
        for month, day in ((1, 1), (1, 3), (2, 28), (3, 1), (6, 30), (10, 11), (12, 29), (12, 31)):
            found.append(datetime(year, month, day))
            found.append(datetime(year, month, day, 17, 59, 59, 999_999))
    span = (datetime.max - datetime.min) // timedelta(microseconds=1)
    found += [datetime.min + timedelta(microseconds=draw.randrange(span)) for _ in range(count)]
    return sorted(set(found))


def around_clock_changes() -> list[datetime]:
    """UTC instants some hours before and after days on which some clock was changed."""
    return sorted(
        datetime(*day) + timedelta(minutes=minutes, seconds=seconds)
        for day in _CHANGES
        for minutes, seconds in [*((m, 0) for m in range(-6 * 60, 18 * 60, 10)), (181, 59)]
    )
