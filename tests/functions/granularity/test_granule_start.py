"""tanon.granule_start against plain date arithmetic."""

from datetime import UTC

import pytest

from oracles.granules import BUILT_IN, epoch_us, granule, instant
from oracles.times import BUCKETS, ZONES, around_clock_changes, instants


def expected(granularity, moment):
    found = granule(granularity, instant(moment))
    return None if found is None else epoch_us(found.start)


@pytest.mark.parametrize("granularity", [*BUILT_IN, *BUCKETS])
def test_timestamps_and_dates(con, granularity):
    con.execute("create table times as select unnest(?::timestamp[]) as ts", [instants()])
    rows = con.execute(
        f"select ts, epoch_us(tanon.granule_start(ts, '{granularity}')) from times order by ts"
    ).fetchall()
    assert rows == [(ts, expected(granularity, ts)) for ts, _ in rows]
    known = [found for _, found in rows if found is not None]
    assert known == sorted(known), "sorts like time"
    dates = con.execute(
        f"select ts::date::timestamp, epoch_us(tanon.granule_start(ts::date, '{granularity}')) "
        "from times"
    ).fetchall()
    assert dates == [(day, expected(granularity, day)) for day, _ in dates]


@pytest.mark.parametrize("zone", ZONES)
def test_a_granule_of_a_zone_holds_its_instants(con, zone):
    con.execute(
        "create table times as select unnest(?::timestamptz[]) as ts",
        [[t.replace(tzinfo=UTC) for t in around_clock_changes()]],
    )
    for granularity in ("minute", "15 minutes", "half_hour", "six_hours", "day", "week_sunday"):
        outside = con.execute(
            f"""
            select ts
            from (
                select ts,
                    tanon.granule_start(ts, '{granularity}', $zone) as first,
                    tanon.granule_end(ts, '{granularity}', $zone) as behind,
                    tanon.granule_index(ts, '{granularity}', $zone) as index
                from times
            )
            where not (ts >= first and ts < behind)
                or tanon.granule_index(first, '{granularity}', $zone) <> index
                or tanon.granule_index(
                    behind - interval 1 microsecond, '{granularity}', $zone) <> index
                or tanon.granule_index(behind, '{granularity}', $zone) <= index
            """,
            {"zone": zone},
        ).fetchall()
        assert outside == [], granularity
