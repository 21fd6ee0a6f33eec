"""tanon.granule_end against plain date arithmetic."""

import pytest

from oracles.granules import BUILT_IN, epoch_us, granule, instant
from oracles.times import BUCKETS, instants


def expected(granularity, moment):
    found = granule(granularity, instant(moment))
    return None if found is None else epoch_us(found.end)


@pytest.mark.parametrize("granularity", [*BUILT_IN, *BUCKETS])
def test_timestamps_and_dates(con, granularity):
    con.execute("create table times as select unnest(?::timestamp[]) as ts", [instants()])
    rows = con.execute(
        f"select ts, epoch_us(tanon.granule_end(ts, '{granularity}')) from times order by ts"
    ).fetchall()
    assert rows == [(ts, expected(granularity, ts)) for ts, _ in rows]
    known = [found for _, found in rows if found is not None]
    assert known == sorted(known), "sorts like time"
    dates = con.execute(
        f"select ts::date::timestamp, epoch_us(tanon.granule_end(ts::date, '{granularity}')) "
        "from times"
    ).fetchall()
    assert dates == [(day, expected(granularity, day)) for day, _ in dates]
