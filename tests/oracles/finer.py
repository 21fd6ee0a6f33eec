"""Which granularity is finer than which, from the granules themselves over some years."""

from bisect import bisect_right
from datetime import datetime, timedelta
from functools import cache
from itertools import islice

from oracles.dated_rows import CALENDARS
from oracles.granules import DAY, granule, instant, moment

# Ends of decades on a Wednesday and on a Tuesday, of fourth years, of weeks of every kind.
_FIRST, _LAST = datetime(2009, 12, 20), datetime(2042, 2, 1)
_INSIDE = datetime(2016, 6, 6), datetime(2032, 8, 1)
# Of granules shorter than days, too many for all of that: 5,000 from the end of a decade on.
_MANY, _BEFORE_A_DECADE = 5_000, datetime(2019, 12, 31, 23, 30)


def granules_met(granularity, first, last):
    """(start, end) of one granule after the other that meets the time, in instants."""
    at = instant(first)
    while at < instant(last):
        here = granule(granularity, at)
        if here is None:
            at = instant(datetime.combine(moment(at), datetime.min.time()) + timedelta(days=1))
        else:
            yield here.start, here.end
            at = here.end


@cache
def granules_of(granularity, first=_FIRST, last=_LAST):
    """(start, end) of every granule that meets the time from first to last, in instants."""
    if granularity in CALENDARS:
        return [(instant(s), instant(e)) for s, e in CALENDARS[granularity]]
    return list(granules_met(granularity, first, last))


def _is_built_in_finer(fine, coarse):
    start, end = next(granules_met(fine, *_INSIDE))
    is_short = end - start < DAY
    first, last = (_BEFORE_A_DECADE if is_short else _INSIDE[0]), _INSIDE[1]
    for start, end in islice(granules_met(fine, first, last), _MANY if is_short else None):
        holder = granule(coarse, start)
        if holder is None or holder.end < end:
            return False
    return True


def finer(fine, coarse):
    """The relation that the search prunes by; of a built-in one, what meets the calendar's span."""
    if fine == coarse:
        return True
    if fine not in CALENDARS and coarse not in CALENDARS:
        return _is_built_in_finer(fine, coarse)
    within = granules_of(coarse)
    if coarse in CALENDARS and fine not in CALENDARS:
        begin, end = within[0][0], within[-1][1]
        pieces = granules_of(fine, moment(begin), moment(end))
    else:
        pieces = granules_of(fine)
        if coarse not in CALENDARS:
            within = granules_of(coarse, moment(pieces[0][0]), moment(pieces[-1][1]))
    starts = [start for start, _ in within]
    holders = [bisect_right(starts, start) - 1 for start, _ in pieces]
    return all(
        at >= 0 and end <= within[at][1] for at, (_, end) in zip(holders, pieces, strict=True)
    )
