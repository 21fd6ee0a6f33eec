"""tanon.granule_index against plain date arithmetic."""

from datetime import UTC, date, datetime

import duckdb
import pytest

from oracles.granules import BUILT_IN, clock_never_set_back, granule, instant
from oracles.times import BUCKETS, ZONES, around_clock_changes, instants


def expected(granularity, moment):
    found = granule(granularity, instant(moment))
    return None if found is None else found.index


@pytest.fixture
def times(con):
    con.execute("create table times as select unnest(?::timestamp[]) as ts", [instants()])
    return con


@pytest.mark.parametrize("granularity", [*BUILT_IN, *BUCKETS])
def test_timestamps_and_dates(times, granularity):
    rows = times.execute(
        f"select ts, tanon.granule_index(ts, '{granularity}'), tanon.granule_index(ts::date, "
        f"'{granularity}') from times"
    ).fetchall()
    for ts, index, of_the_day in rows:
        assert index == expected(granularity, ts), ts
        assert of_the_day == expected(granularity, datetime.combine(ts, datetime.min.time())), ts


def test_a_column_of_granularities(times):
    rows = times.execute(
        "select ts, g, tanon.granule_index(ts, g) from times, unnest(?) as names(g)",
        [[*BUILT_IN, *BUCKETS]],
    ).fetchall()
    assert [index for _, _, index in rows] == [expected(g, ts) for ts, g, _ in rows]


@pytest.mark.parametrize("zone", ZONES)
def test_clock_changes(con, zone):
    con.execute(
        "create table times as select unnest(?::timestamp[]) as utc", [around_clock_changes()]
    )
    shown = {t: clock_never_set_back(t, zone) for t in around_clock_changes()}
    for granularity in ("second", "15 minutes", "hour", "day_part", "day", "week_sunday", "month"):
        rows = con.execute(
            f"select utc, tanon.granule_index(timezone('UTC', utc), '{granularity}', tz := ?) "
            f"from times",
            [zone],
        ).fetchall()
        assert rows == [(t, expected(granularity, shown[t])) for t, _ in rows]
        indices = [index for _, index in sorted(rows)]
        assert indices == sorted(indices), "never falls"


@pytest.mark.parametrize("granularity", [*BUILT_IN, *BUCKETS])
def test_monotone_and_without_holes(con, granularity):
    """Around every step of a day or a month the index stays or grows by one granule at most."""
    falls = con.execute(
        f"""
        with indices as (
            select ts, tanon.granule_index(ts, '{granularity}') as index
            from (
                select unnest([day - interval 1 microsecond, day, day + to_seconds(n)]) as ts
                from range(1, 86400, 241) as steps(n),
                    (select date '0001-01-02' + (n * 10141)::integer as day from range(360) as d(n))
            )
            where tanon.granule_index(ts, '{granularity}') is not null
        )
        select * from (
            select ts, index, lag(index) over (order by ts) as before,
                lag(ts) over (order by ts) as earlier
            from indices
        )
        where index < before
            or index > before + 1 and tanon.granule_end(earlier, '{granularity}')
                = tanon.granule_start(ts, '{granularity}')
        """
    ).fetchall()
    assert falls == []


def test_no_granule_outside_the_years_1_to_9999(con):
    assert con.execute(
        "select tanon.granule_index('infinity'::timestamp, 'day'), "
        "tanon.granule_index('0001-12-31 (BC)'::date, 'year'), "
        "tanon.granule_index(timestamp '9999-12-31 23:59:59.999999' + interval 1 microsecond, "
        "'hour'), "
        "tanon.granule_index(null::timestamp, 'day')"
    ).fetchall() == [(None,) * 4]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            "timestamp '2024-01-01', 'wek'",
            "tanon.granule_index: granularity must be .* did you mean 'week'",
        ),
        ("timestamp '2024-01-01', NULL", "tanon.granule_index: granularity must be .* got NULL"),
        (
            "timestamp '2024-01-01', '0 days'",
            "tanon.granule_index: granularity must be .* got '0 days'",
        ),
        ("timestamp '2024-01-01', '3 fortnights'", "got '3 fortnights'"),
        ("timestamp '2024-01-01', '10000 years'", "got '10000 years'"),
        ("'2024-01-01', 'day'", "tanon.granule_index: ts must be .* cast it, as in ts::timestamp"),
        ("timestamptz '2024-01-01 00:00Z', 'day'", "tz must be the name of a time zone"),
        ("date '2024-01-01', 'day', tz := 'Asia/Tokyo'", "tz must be NULL .* got Asia/Tokyo"),
        ("timestamptz '2024-01-01 00:00Z', 'day', 'Mars'", "Unknown TimeZone 'Mars'"),
    ],
)
def test_bad_input(con, call, message):
    with pytest.raises(duckdb.Error, match=message):
        con.execute(f"select tanon.granule_index({call})").fetchall()


OTHER_TYPES = ["['month']", "5", "{'a': 1}", "true", "date '2024-01-01'"]
OF_A_TABLE = "'visits', respondent := 'patient', qi := 'sex', ts := 'admitted', "


@pytest.mark.parametrize("value", OTHER_TYPES)
def test_a_granularity_of_another_type_is_told(demo_con, value):
    for call in (
        f"select tanon.granule_index(timestamp '2024-01-01', {value})",
        f"select tanon.granule_start(timestamp '2024-01-01', {value})",
        f"select tanon.granule_end(timestamp '2024-01-01', {value})",
        f"select tanon.granule_label(timestamp '2024-01-01', {value})",
        f"from tanon.k_anonymity({OF_A_TABLE}granularity := {value})",
        f"from tanon.granularity_metrics({OF_A_TABLE}k := 5, granularities := [{value}])",
    ):
        with pytest.raises(duckdb.Error, match=r"tanon\.\w+: granularit.* must be"):
            demo_con.execute(call).fetchall()


def test_a_list_is_no_time_zone(demo_con):
    with pytest.raises(duckdb.Error, match=r"tanon\.k_anonymity: tz must be NULL .* got \[month\]"):
        demo_con.execute(
            f"from tanon.k_anonymity({OF_A_TABLE}granularity := 'day', tz := ['month'])"
        ).fetchall()


def test_a_date_in_utc_is_another_in_tokyo(con):
    late = datetime(2024, 5, 1, 20, tzinfo=UTC)
    index = con.execute(
        "select tanon.granule_index(?::timestamptz, 'day', 'Asia/Tokyo')", [late]
    ).fetchall()
    assert index == [((date(2024, 5, 2) - date(1970, 1, 1)).days,)]
