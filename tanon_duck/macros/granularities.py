"""The built-in granularities. One entry of the table says all about one granularity.

A granularity repeats a period, and cuts each period into the same parts. The parts are its
granules. Everything else follows: SQL for the index, start and end of the granule of a TIMESTAMP
``tanon_t``, and which granularity is finer than which. Index 0 is the granule of 1970-01-01 00:00.
Several of a unit (``'3 days'``) are no entry: SQL makes such a bucket from its width.
"""

from dataclasses import dataclass
from itertools import pairwise
from math import gcd

# From the first instant of year 1, a Monday, to that of 1970, in microseconds.
YEAR_1 = 62_135_596_800_000_000
SECOND = 1_000_000
MINUTE, HOUR, DAY = 60 * SECOND, 3600 * SECOND, 86_400 * SECOND
WEEK = 7 * DAY
# Periods and buckets are counted from Monday 2000-01-03, or from January 2000.
BUCKETS_BEGIN = 946_857_600_000_000
_MONTH = 2_629_746 * SECOND  # on average
_DAYS = 31  # of a month, where days of months are counted


@dataclass(frozen=True)
class Granularity:
    """One granularity: its periods, the parts of a period, and SQL for the label of a granule.

    Numbers count microseconds from Monday 2000-01-03 (``unit`` 'us'), or days from January 2000 as
    if all months had 31 (``unit`` 'months'). A part is a pair: where it starts and where it ends.
    """

    name: str
    unit: str
    width: int
    begin: int
    parts: tuple[tuple[int, int], ...]
    label: str

    @property
    def has_gaps(self) -> bool:
        """Whether some times lie in no granule."""
        return sum(end - start for start, end in self.parts) < self.width

    @property
    def is_even(self) -> bool:
        """Whether all granules have one width and no gaps."""
        return self.parts == ((0, self.width),)

    @property
    def is_in_days(self) -> bool:
        """Whether each granule lies inside one day."""
        day = DAY if self.unit == "us" else 1
        meets = gcd(self.width, day)
        return all(e - s + (self.begin + s) % meets <= meets for s, e in self.parts)

    @property
    def length(self) -> int:
        """The length of a usual granule in microseconds."""
        length = sum(end - start for start, end in self.parts) // len(self.parts)
        return length if self.unit == "us" else length * _MONTH // _DAYS

    @property
    def beat(self) -> int:
        """The widest part of a day at whose multiples all granules begin and end."""
        if self.unit == "months":
            return DAY
        return gcd(DAY, self.width, *(self.begin + edge for part in self.parts for edge in part))

    @property
    def rule(self) -> str:
        """The SQL values of unit, width, begin, parts, what is true of them, beat and length."""
        starts, ends = map(list, zip(*self.parts, strict=True))
        return (
            f"'{self.unit}', {self.width}, {self.begin}, {starts}, {ends}, "
            f"{self.is_in_days}, {self.has_gaps}, {self.beat}, {self.length}"
        )

    @property
    def snapshot_us(self) -> int:
        """The width of granules in microseconds; 0 unless they are even and no months."""
        return self.width if self.is_even and self.unit == "us" else 0

    @property
    def snapshot_months(self) -> int:
        """The width of granules in months; 0 unless they are even months."""
        return self.width // _DAYS if self.is_even and self.unit == "months" else 0

    @property
    def snapshot_origin(self) -> int:
        """The beginning of a granule: microseconds since 1970, or months since January 2000."""
        return BUCKETS_BEGIN + self.begin if self.unit == "us" else self.begin // _DAYS

    @property
    def rank(self) -> str:
        """SQL for the number of the last granule that begins at or before tanon_t."""
        starts = [start for start, _ in self.parts]
        number, position = self._of_1970()
        of_1970 = number * len(starts) + sum(position >= start for start in starts) - 1
        later = "".join(f" + ({self._position} >= {s // self._step})::integer" for s in starts if s)
        times = f" * {len(starts)}" if len(starts) > 1 else ""
        return f"{self._number}{times}{later} - {of_1970 + (starts[0] > 0)}"

    @property
    def index(self) -> str:
        """SQL for the number of the granule of tanon_t, NULL in a gap."""
        return self._covered(self.rank)

    @property
    def start(self) -> str:
        """SQL for the first instant of the granule of tanon_t, NULL in a gap."""
        return self._edge([start for start, _ in self.parts])

    @property
    def end(self) -> str:
        """SQL for the first instant after the granule of tanon_t, NULL in a gap."""
        return self._edge([end for _, end in self.parts])

    @property
    def shown(self) -> str:
        """SQL for the label of the granule of tanon_t, NULL in a gap."""
        start = f"greatest({self.start}, timestamp '0001-01-01')"
        return self._covered(self.label.replace("tanon_start", start))

    @property
    def _step(self) -> int:
        """In how many of its numbers positions are counted: in days if it is made of days."""
        return DAY if self.unit == "us" and self.beat == DAY else 1

    @property
    def _shift(self) -> int:
        """The position of the first instant of year 1, or of January of year 0, in its period."""
        before = YEAR_1 + BUCKETS_BEGIN if self.unit == "us" else 24_000 * _DAYS
        return (-before - self.begin) % self.width

    @property
    def _passed(self) -> str:
        """SQL for the steps or months since the last beginning of a period before that instant."""
        if self.unit == "months":
            passed, shift = "year(tanon_t) * 12 + month(tanon_t) - 1", self._shift // _DAYS
        elif self._step == DAY:
            passed, shift = "tanon_t::date - date '0001-01-01'", self._shift // DAY
        else:
            passed, shift = f"epoch_us(tanon_t) + {YEAR_1}", self._shift
        return f"({passed} + {shift})" if shift else f"({passed})"

    @property
    def _number(self) -> str:
        """SQL for the number of the period."""
        width = self.width // (_DAYS if self.unit == "months" else self._step)
        if self.unit == "months" and width % 12 == 0 and self._shift == 0:
            return "year(tanon_t)" if width == 12 else f"year(tanon_t) // {width // 12}"
        return f"{self._passed} // {width}" if width > 1 else self._passed

    @property
    def _position(self) -> str:
        """SQL for the steps since the beginning of the period."""
        if self.unit == "us":
            return f"{self._passed} % {self.width // self._step}"
        months, day = self.width // _DAYS, "day(tanon_t) - 1"
        return day if months == 1 else f"{self._passed} % {months} * {_DAYS} + {day}"

    def _of_1970(self) -> tuple[int, int]:
        """Number and position of the first instant of 1970."""
        passed = YEAR_1 if self.unit == "us" else 1970 * 12 * _DAYS
        return divmod(passed + self._shift, self.width)

    def _covered(self, sql: str) -> str:
        """The SQL where a granule covers tanon_t, else NULL."""
        if not self.has_gaps:
            return sql
        runs: list[tuple[int, int]] = []
        for start, end in self.parts:
            touches = runs and runs[-1][1] == start
            runs.append((runs.pop()[0] if touches else start, end))
        inside = [
            f"{self._position} between {start // self._step} and {end // self._step - 1}"
            for start, end in runs
        ]
        return f"case when {' or '.join(inside)} then {sql} end"

    def _edge(self, edges: list[int]) -> str:
        """SQL for the beginning of the period, and what the part of tanon_t adds to it."""
        if self.unit == "months":
            months, shift = self.width // _DAYS, 24_000 + self._shift // _DAYS
            since = f"{self._passed} // {months} * {months} - {shift}"
            begin = f"timestamp '2000-01-01' + to_months(({since})::integer)"
        else:
            since, shift = f"(epoch_us(tanon_t) + {YEAR_1 + self._shift})", YEAR_1 + self._shift
            begin = f"make_timestamp({since} // {self.width} * {self.width} - {shift})"
        starts = [start for start, _ in self.parts]
        later = [
            f"when {self._position} >= {start // self._step} then {self._interval(edge)} "
            for start, edge in reversed(list(zip(starts, edges, strict=True))[1:])
        ]
        added = self._interval(edges[0])
        added = f"case {''.join(later)}else {added} end" if later else added
        return self._covered(f"{begin} + {added}")

    def _interval(self, length: int) -> str:
        if self.unit == "us":
            return f"interval '{length} microsecond'"
        months, days = divmod(length, _DAYS)
        return f"interval '{months} month {days} day'"


_DATE, _MINUTE = "%Y-%m-%d", "%Y-%m-%d %H:%M"
_FROM_DATE, _FROM_MINUTE = (f"strftime(tanon_start, '{s}')" for s in (_DATE, _MINUTE))
_WEEK_OF_YEAR = "strftime(tanon_t, '%G-W%V')"
_DAY_PARTS = "(['00-06 night', '06-12 morning', '12-18 afternoon', '18-24 evening'])"
_DAY_PART = f"strftime(tanon_t, '{_DATE}') || ' ' || {_DAY_PARTS}[1 + hour(tanon_t) // 6]"
_QUARTER = "strftime(tanon_t, '%Y-Q') || quarter(tanon_t)"
_HALF = "strftime(tanon_t, '%Y-H') || (1 + (month(tanon_t) > 6)::integer)"
_DECADE = "lpad((year(tanon_t) // 10)::varchar, 3, '0') || '0s'"


def of_time(
    name: str, width: int, label: str, begin: int = 0, parts: tuple[tuple[int, int], ...] = ()
) -> Granularity:
    """A granularity of periods of one width; a period is one granule unless parts are given."""
    return Granularity(name, "us", width, begin, parts or ((0, width),), label)


def of_months(name: str, months: int, label: str, begin: int = 0) -> Granularity:
    """A granularity of so many months, the first from a month counted from January 2000."""
    width = months * _DAYS
    return Granularity(name, "months", width, begin * _DAYS, ((0, width),), label)


def part_of_month(name: str, letter: str, days: tuple[int, ...]) -> Granularity:
    """A granularity that begins on these days of each month, of which the first is 1."""
    parts = tuple(pairwise([*(day - 1 for day in days), _DAYS]))
    number = " + ".join(f"(day(tanon_t) >= {day})::integer" for day in days)
    label = f"strftime(tanon_t, '%Y-%m-{letter}') || ({number})"
    return Granularity(name, "months", _DAYS, 0, parts, label)


_WORKING_DAYS = tuple(pairwise(range(0, 6 * DAY, DAY)))

_TABLE = (
    of_time("second", SECOND, "strftime(tanon_t, '%Y-%m-%d %H:%M:%S')"),
    of_time("minute", MINUTE, _FROM_MINUTE),
    of_time("quarter_hour", 15 * MINUTE, _FROM_MINUTE),
    of_time("half_hour", 30 * MINUTE, _FROM_MINUTE),
    of_time("hour", HOUR, _FROM_MINUTE),
    of_time("day_part", 6 * HOUR, _DAY_PART),
    of_time("six_hours", 6 * HOUR, _FROM_MINUTE),
    of_time("business_day", WEEK, _FROM_DATE, parts=_WORKING_DAYS),
    of_time("day", DAY, _FROM_DATE),
    of_time("business_week", WEEK, _WEEK_OF_YEAR, parts=((0, 5 * DAY),)),
    part_of_month("five_days", "F", (1, 6, 11, 16, 21, 26)),
    of_time("week", WEEK, _WEEK_OF_YEAR),
    of_time("week_sunday", WEEK, _FROM_DATE, begin=-DAY),
    part_of_month("dekad", "D", (1, 11, 21)),
    part_of_month("half_month", "H", (1, 16)),
    of_months("month", 1, "strftime(tanon_t, '%Y-%m')"),
    of_months("quarter", 3, _QUARTER),
    of_months("half_year", 6, _HALF),
    of_months("year", 12, "strftime(tanon_t, '%Y')"),
    of_months("decade", 120, _DECADE),
)

# Shorter ones first.
GRANULARITIES = tuple(sorted(_TABLE, key=lambda g: g.length))
