"""A slow, obvious reading of every built-in granularity.

An instant is a whole number of microseconds since 0001-01-01 00:00, so that a granule may begin
before year 1 or end after year 9999, which `datetime` cannot say.
"""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo

SECOND = 1_000_000
MINUTE, HOUR, DAY = 60 * SECOND, 3600 * SECOND, 86_400 * SECOND
EPOCH = (date(1970, 1, 1).toordinal() - 1) * DAY
FIRST, PAST_LAST = 0, date.max.toordinal() * DAY

_CLOCK = {
    "second": SECOND,
    "minute": MINUTE,
    "quarter_hour": 15 * MINUTE,
    "half_hour": 30 * MINUTE,
    "hour": HOUR,
    "six_hours": 6 * HOUR,
    "day_part": 6 * HOUR,
}
_MONTHS = {"month": 1, "quarter": 3, "half_year": 6, "year": 12, "decade": 120}
# The letter of the label, and the days on which parts of a month begin.
_MONTH_PARTS = {
    "five_days": ("F", (1, 6, 11, 16, 21, 26)),
    "dekad": ("D", (1, 11, 21)),
    "half_month": ("H", (1, 16)),
}
_DAYS = ("day", "business_day", "week", "week_sunday", "business_week")
BUILT_IN = (*_CLOCK, *_DAYS, *_MONTH_PARTS, *_MONTHS)
_DAY_PARTS = ("00-06 night", "06-12 morning", "12-18 afternoon", "18-24 evening")
_UNIT_US = {"second": SECOND, "minute": MINUTE, "hour": HOUR, "day": DAY, "week": 7 * DAY}
_UNIT_MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120}


@dataclass(frozen=True)
class Granule:
    """One granule: its number, its name, its first instant and the first instant after it."""

    index: int
    label: str
    start: int
    end: int


def instant(moment: datetime) -> int:
    """The instant of a wall-clock reading."""
    return (moment - datetime.min) // timedelta(microseconds=1)


def moment(at: int) -> datetime:
    """The wall-clock reading of an instant of the years 1 to 9999."""
    return datetime.min + timedelta(microseconds=at)


def epoch_us(at: int) -> int:
    """The same instant as DuckDB's `epoch_us` counts it."""
    return at - EPOCH


def granule(granularity: str, at: int) -> Granule | None:
    """The granule that covers an instant; None in a gap and outside the years 1 to 9999."""
    if not FIRST <= at < PAST_LAST:
        return None
    if granularity in BUILT_IN:
        return _built_in(granularity, at)
    count, unit = re.fullmatch(r"([0-9]+) ([a-z]+?)s?", granularity).groups()
    if unit in _UNIT_US:
        return _clock_bucket(int(count) * _UNIT_US[unit], at)
    return _month_bucket(int(count) * _UNIT_MONTHS[unit], at)


def _built_in(granularity: str, at: int) -> Granule | None:
    if granularity in _CLOCK:
        return _part_of_day(granularity, _CLOCK[granularity], at)
    if granularity in _MONTHS:
        return _months(granularity, _MONTHS[granularity], at)
    if granularity in _MONTH_PARTS:
        return _part_of_month(granularity, at)
    return _days(granularity, at)


def _part_of_day(granularity: str, width: int, at: int) -> Granule:
    midnight = at // DAY * DAY
    start = midnight + (at - midnight) // width * width
    index = (start - EPOCH) // width
    shape = {"second": "%H:%M:%S", "day_part": ""}.get(granularity, "%H:%M")
    clock = moment(start).strftime(shape) if shape else _DAY_PARTS[(start - midnight) // width]
    return Granule(index, f"{_day(start)} {clock}", start, start + width)


def _days(granularity: str, at: int) -> Granule | None:
    today = at // DAY
    weekday = moment(at).weekday()
    epoch_day = EPOCH // DAY
    if granularity == "day":
        return Granule(today - epoch_day, _day(at), today * DAY, (today + 1) * DAY)
    if granularity == "week_sunday":
        sunday = today - (weekday + 1) % 7
        index = (sunday - (epoch_day - 4)) // 7  # 1970-01-01 was a Thursday
        return Granule(index, _day(max(sunday * DAY, FIRST)), sunday * DAY, (sunday + 7) * DAY)
    monday = today - weekday
    weeks = (monday - (epoch_day - 3)) // 7
    week = "{:04d}-W{:02d}".format(*moment(at).isocalendar())
    if granularity == "week":
        return Granule(weeks, week, monday * DAY, (monday + 7) * DAY)
    if weekday >= 5:
        return None
    if granularity == "business_week":
        return Granule(weeks, week, monday * DAY, (monday + 5) * DAY)
    return Granule(weeks * 5 + weekday - 3, _day(at), today * DAY, (today + 1) * DAY)


def _part_of_month(granularity: str, at: int) -> Granule:
    year, month, day = moment(at).timetuple()[:3]
    letter, firsts = _MONTH_PARTS[granularity]
    part = sum(day >= first for first in firsts) - 1
    month_start, month_end = _month_start(year * 12 + month - 1), _month_start(year * 12 + month)
    starts = [month_start + (first - 1) * DAY for first in firsts] + [month_end]
    index = (year * 12 + month - 1 - 1970 * 12) * len(firsts) + part
    label = f"{year:04d}-{month:02d}-{letter}{part + 1}"
    return Granule(index, label, starts[part], starts[part + 1])


def _months(granularity: str, width: int, at: int) -> Granule:
    year, month = moment(at).timetuple()[:2]
    index = (year * 12 + month - 1) // width
    label = {
        "month": f"{year:04d}-{month:02d}",
        "quarter": f"{year:04d}-Q{(month + 2) // 3}",
        "half_year": f"{year:04d}-H{1 if month <= 6 else 2}",
        "year": f"{year:04d}",
        "decade": f"{year // 10 * 10:04d}s",
    }[granularity]
    start, end = _month_start(index * width), _month_start((index + 1) * width)
    return Granule(index - 1970 * 12 // width, label, start, end)


def _clock_bucket(width: int, at: int) -> Granule:
    origin = instant(datetime(2000, 1, 3))
    start = at - (at - origin) % width
    first = EPOCH - (EPOCH - origin) % width
    shown = moment(max(start, FIRST))
    if width % DAY == 0:
        label = _day(instant(shown))
    elif width % MINUTE == 0:
        label = f"{_day(instant(shown))} {shown:%H:%M}"
    else:
        label = f"{_day(instant(shown))} {shown:%H:%M:%S}"
    return Granule((start - first) // width, label, start, start + width)


def _month_bucket(width: int, at: int) -> Granule:
    year, month = moment(at).timetuple()[:2]
    origin = 2000 * 12
    number = (year * 12 + month - 1 - origin) // width
    first = (1970 * 12 - origin) // width
    start = number * width + origin
    year, month = divmod(max(start, 12), 12)
    label = f"{year:04d}" if width % 12 == 0 else f"{year:04d}-{month + 1:02d}"
    return Granule(number - first, label, _month_start(start), _month_start(start + width))


def _month_start(months: int) -> int:
    """The first instant of the month that many months after January of year 0, any year."""
    eras, within = divmod(months, 4800)  # the calendar repeats every 400 years
    year, month = divmod(within + 4800, 12)
    return (date(year, month + 1, 1).toordinal() - 1 + (eras - 1) * 146_097) * DAY


def _day(at: int) -> str:
    year, month, day = moment(at).timetuple()[:3]
    return f"{year:04d}-{month:02d}-{day:02d}"


def clock_never_set_back(utc: datetime, zone: str) -> datetime:
    """The furthest the wall clock of a zone has shown at or before an instant, as `up` reads it.

    While the clock repeats an hour, time stands just before the reading at which it was set back.
    """
    offset_now = _offset(utc, zone)
    furthest = utc + offset_now
    later, back = offset_now, utc
    while back > utc - timedelta(hours=3):  # no clock of the last hundred years went further back
        back -= timedelta(minutes=1)
        offset = _offset(back, zone)
        if offset > later:
            change = back
            while _offset(change, zone) == offset:
                change += timedelta(seconds=1)
            change = change.replace(microsecond=0)
            furthest = max(furthest, change + offset - timedelta(microseconds=1))
        later = offset
    return furthest


@cache
def _offset(utc: datetime, zone: str) -> timedelta:
    return utc.replace(tzinfo=UTC).astimezone(ZoneInfo(zone)).utcoffset()
