"""tanon.granularities: all that is built in, and those of a calendar."""

from datetime import datetime

from oracles.dated_rows import create_calendar
from oracles.granules import BUILT_IN, granule, instant


def test_all_built_in_ones_with_an_example(con):
    found = con.execute("from tanon.granularities()").fetchall()
    at = instant(datetime(2024, 2, 29, 13, 45))
    assert sorted(found) == sorted((n, "built-in", granule(n, at).label) for n in BUILT_IN)
    lengths = [granule(n, at).end - granule(n, at).start for n, *_ in found]
    shorter_first = [n for n, *_ in found]
    assert lengths[:9] == sorted(lengths[:9])
    assert shorter_first[-3:] == ["half_year", "year", "decade"]


def test_those_of_a_calendar(con):
    create_calendar(con)
    found = con.execute("from tanon.granularities('calendar') where kind = 'calendar'").fetchall()
    assert ("term", "calendar", "term 00000") in found
    assert len(found) == 4
