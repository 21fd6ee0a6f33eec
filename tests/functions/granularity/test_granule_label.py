"""tanon.granule_label against plain date arithmetic."""

import pytest

from oracles.granules import BUILT_IN, granule, instant
from oracles.times import BUCKETS, instants


def expected(granularity, moment):
    found = granule(granularity, instant(moment))
    return None if found is None else found.label


@pytest.mark.parametrize("granularity", [*BUILT_IN, *BUCKETS])
def test_timestamps_and_dates(con, granularity):
    con.execute("create table times as select unnest(?::timestamp[]) as ts", [instants()])
    rows = con.execute(
        f"select ts, tanon.granule_label(ts, '{granularity}') from times order by ts"
    ).fetchall()
    assert rows == [(ts, expected(granularity, ts)) for ts, _ in rows]
    known = [found for _, found in rows if found is not None]
    assert known == sorted(known), "sorts like time"
    dates = con.execute(
        f"select ts::date::timestamp, tanon.granule_label(ts::date, '{granularity}') from times"
    ).fetchall()
    assert dates == [(day, expected(granularity, day)) for day, _ in dates]


@pytest.mark.parametrize(
    ("utc", "granularity", "zone", "label"),
    [
        ("2024-11-03 05:30Z", "half_hour", "America/New_York", "2024-11-03 01:30"),
        ("2024-11-03 06:10Z", "half_hour", "America/New_York", "2024-11-03 01:30"),
        ("2024-12-29 16:00Z", "week", "Asia/Tokyo", "2025-W01"),
    ],
)
def test_the_label_of_a_zone_is_what_its_clock_shows(con, utc, granularity, zone, label):
    call = "select tanon.granule_label(?::timestamptz, ?, tz := ?)"
    assert con.execute(call, [utc, granularity, zone]).fetchall() == [(label,)]
