"""The built-in granularities, and all that is known of each: one entry says it all.

SQL in an entry is over a TIMESTAMP named ``tanon_t``. Index 0 is the granule of 1970-01-01 00:00;
0001-01-01 was a Monday. What several of a unit are called (``'3 days'``) is no entry: a bucket is
made from its width when it is asked for.
"""

from dataclasses import dataclass

# From the first instant of year 1 to that of 1970, in microseconds: the only place that says it.
YEAR_1 = 62_135_596_800_000_000
SECOND = 1_000_000
MINUTE, HOUR, DAY = 60 * SECOND, 3600 * SECOND, 86_400 * SECOND
MONTH = 2_629_746 * SECOND  # on average
# Buckets, and snapshots, are counted from a Monday: 2000-01-03.
BUCKETS_BEGIN = 946_857_600_000_000


@dataclass(frozen=True)
class Granularity:
    """One granularity: how it lies on the time line, and SQL for what is asked of its granules.

    ``kind`` is how it is compared with others: 'us' and 'months' have granules of one width without
    gaps, ``width`` of them beginning at ``begin``; 'part' cuts months in parts; 'business_day' and
    'business_week' leave weekends out. ``length`` is that of a usual granule in microseconds.
    """

    name: str
    kind: str
    width: int
    begin: int
    length: int
    index: str
    start: str
    end: str  # SQL, or what is added to the start
    label: str

    @property
    def rule(self) -> str:
        """Kind, width, beginning and length as SQL values."""
        return f"'{self.kind}', {self.width}, {self.begin}, {self.length}"

    @property
    def clock_width(self) -> int | None:
        """The width of granules in microseconds, None for months and working days."""
        return self.width if self.kind == "us" else None

    @property
    def months(self) -> int | None:
        """The width of granules in months, None for others."""
        return self.width if self.kind == "months" else None

    @property
    def ends(self) -> str:
        """SQL for the first instant after the granule."""
        return f"{self.start} + {self.end}" if self.end.startswith("interval") else self.end


def _shaped(shape: str, moment: str = "tanon_t") -> str:
    return f"strftime({moment}, '{shape}')"


def _truncated(unit: str) -> str:
    return f"date_trunc('{unit}', tanon_t)"


def _bucket(width: str) -> str:
    return f"time_bucket(interval '{width}', tanon_t)"


def _of_clock(name: str, width: int, start: str, length: str, label: str) -> Granularity:
    """A granularity that parts days."""
    index = f"(epoch_us(tanon_t) + {YEAR_1}) // {width} - {YEAR_1 // width}"
    end = f"interval {length}"
    return Granularity(name, "us", width, 0, width, index, start, end, label)


def _of_days(
    name: str, days: int, index: str, start: str, label: str, begin: int = 0
) -> Granularity:
    """A granularity of whole days without gaps."""
    width = days * DAY
    end = f"interval {days} day"
    return Granularity(name, "us", width, begin, width, index, start, end, label)


def _at_work(sql: str) -> str:
    return f"case when isodow(tanon_t) < 6 then {sql} end"


def _of_work(name: str, days: int, index: str, start: str, label: str) -> Granularity:
    """A granularity that leaves weekends out."""
    length, end = days * DAY, f"interval {days} day"
    texts = (_at_work(index), _at_work(start), end, _at_work(label))
    return Granularity(name, name, 0, 0, length, *texts)


def _of_months(name: str, months: int, index: str, start: str, label: str) -> Granularity:
    """A granularity of whole months."""
    length, end = months * MONTH, f"interval {months} month"
    return Granularity(name, "months", months, 0, length, index, start, end, label)


def _part_of_month(name: str, letter: str, parts: int, days: int, part: str) -> Granularity:
    """A granularity that cuts each month into parts of some days, the last as long as it lasts."""
    month = _truncated("month")
    last_day = days * (parts - 1)
    after = f"{month} + to_days(({part} * {days})::integer)"
    next_ = f"{month} + to_days(({part} * {days} + {days})::integer)"
    end = f"case when day(tanon_t) > {last_day} then {month} + interval 1 month else {next_} end"
    index = f"{_MONTHS} * {parts} + {part} - {1970 * 12 * parts}"
    label = f"{_shaped(f'%Y-%m-{letter}')} || (1 + {part})"
    return Granularity(name, "part", 0, 0, MONTH // parts, index, after, end, label)


_MONTHS = "(year(tanon_t) * 12 + month(tanon_t) - 1)"
_WEEKS = "((tanon_t::date - date '0001-01-01') // 7 - 102737)"
_SUNDAY = "date_trunc('week', tanon_t + interval 1 day) - interval 1 day"
_DATE, _MINUTE = "%Y-%m-%d", "%Y-%m-%d %H:%M"
_DAY_PARTS = "(['00-06 night', '06-12 morning', '12-18 afternoon', '18-24 evening'])"


def _to_the_minute(start: str) -> str:
    return _shaped(_MINUTE, start)


def _table() -> tuple[Granularity, ...]:
    quarter_hour, half_hour = _bucket("15 minutes"), _bucket("30 minutes")
    six_hours, half_year = _bucket("6 hours"), _bucket("6 months")
    day_part = f"{_shaped(_DATE)} || ' ' || {_DAY_PARTS}[1 + hour(tanon_t) // 6]"
    first_sunday = f"greatest({_SUNDAY}, timestamp '0001-01-01')"
    half = "strftime(tanon_t, '%Y-H') || (1 + (month(tanon_t) > 6)::integer)"
    decade = "lpad((year(tanon_t) // 10)::varchar, 3, '0') || '0s'"
    quarter = _shaped("%Y-Q") + " || quarter(tanon_t)"
    days, week = "tanon_t::date - date '1970-01-01'", _shaped("%G-W%V")
    sundays = "(tanon_t::date - date '0001-01-01' + 1) // 7 - 102737"
    weekday = f"{_WEEKS} * 5 + isodow(tanon_t) - 4"
    return (
        _of_clock("second", SECOND, _truncated("second"), "1 second", _shaped(_MINUTE + ":%S")),
        _of_clock("minute", MINUTE, _truncated("minute"), "1 minute", _shaped(_MINUTE)),
        _of_clock(
            "quarter_hour", 15 * MINUTE, quarter_hour, "15 minute", _to_the_minute(quarter_hour)
        ),
        _of_clock("half_hour", 30 * MINUTE, half_hour, "30 minute", _to_the_minute(half_hour)),
        _of_clock("hour", HOUR, _truncated("hour"), "1 hour", _shaped("%Y-%m-%d %H:00")),
        _of_clock("day_part", 6 * HOUR, six_hours, "6 hour", day_part),
        _of_clock("six_hours", 6 * HOUR, six_hours, "6 hour", _to_the_minute(six_hours)),
        _of_work("business_day", 1, weekday, _truncated("day"), _shaped(_DATE)),
        _of_days("day", 1, days, _truncated("day"), _shaped(_DATE)),
        _of_work("business_week", 5, _WEEKS, _truncated("week"), week),
        _of_days("week", 7, _WEEKS, _truncated("week"), week),
        _of_days("week_sunday", 7, sundays, _SUNDAY, _shaped(_DATE, first_sunday), -DAY),
        _part_of_month("dekad", "D", 3, 10, "(least(day(tanon_t), 30) - 1) // 10"),
        _part_of_month("half_month", "H", 2, 15, "(day(tanon_t) > 15)::integer"),
        _of_months("month", 1, f"{_MONTHS} - 23640", _truncated("month"), _shaped("%Y-%m")),
        _of_months("quarter", 3, f"{_MONTHS} // 3 - 7880", _truncated("quarter"), quarter),
        _of_months("half_year", 6, f"{_MONTHS} // 6 - 3940", half_year, half),
        _of_months("year", 12, "year(tanon_t) - 1970", _truncated("year"), _shaped("%Y")),
        _of_months("decade", 120, "year(tanon_t) // 10 - 197", _truncated("decade"), decade),
    )


# Shorter ones first.
GRANULARITIES = _table()
