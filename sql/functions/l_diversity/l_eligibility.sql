-- How far each snapshot of a stream is from l-eligibility.
--
-- A snapshot is l-eligible if no sensitive value holds more than one l-th of its records; only
-- then can it be split into l-diverse groups. level counts the records of the most frequent
-- value, max_l is the largest l for which the snapshot is eligible, excess counts the records
-- that have to go until it is. l may be a fraction: 2.5 or '5/2'.
--
-- A snapshot is a granule of time: one whole number, one day (a TIMESTAMP then has to be
-- midnight), or what granularity says: second, minute, quarter_hour, half_hour, hour, six_hours,
-- day_part, day, week, week_sunday, month, quarter, half_year, year, decade, or several such as
-- '3 days'; for an integer column its width. Business days, dekads and calendars are not
-- offered: a distance in snapshots needs granules that follow each other without gaps. A
-- snapshot without records inside the stream is listed: it is empty and eligible. NULL in sa is
-- a value like any other.
--
-- Cost: one hash aggregation per (snapshot, value). Memory: those counts, and all snapshots
-- between the first and the last, at most ten million.
--
-- Arguments:
--   source       relation                        the table, the view or the query in parentheses
--   ts           column(integer, time) not null  when a record happened
--   sa           column                          the sensitive value
--   l            rational >= 1                   the least number of values that must balance
--   granularity  snapshots = NULL                how time is cut into snapshots
-- Result:
--   {ts}      as in source  the first instant of the snapshot
--   records   BIGINT        its records
--   level     BIGINT        the records of its most frequent sensitive value
--   max_l     DOUBLE        records / level: the largest l it is eligible for; NULL if empty
--   eligible  BOOLEAN       whether it is l-eligible
--   excess    BIGINT        records to be suppressed until it is
-- For: the owner
-- Example:
--   from tanon.l_eligibility('cases', ts := 'day', sa := 'disease', l := 2)
--   order by day limit 7

with
{% include "fragments/snapshot_cells.sql" %},
tanon_numbers as (
    select tanon_home as tanon_snapshot, tanon_records as tanon_n from tanon_cells
),
{% include "fragments/eligible_level.sql" %},
tanon_span as (
    select min(tanon_snapshot) as tanon_first, max(tanon_snapshot) as tanon_last
    from tanon_levels
),
tanon_snapshots as (
    select unnest(if(
        tanon_last - tanon_first < 10000000,
        range(tanon_first, tanon_last + 1),
        error({function} || ': granularity must be coarse enough for at most 10000000 snapshots'
            || ', got ' || tanon_last - tanon_first + 1)
    )) as tanon_snapshot
    from tanon_span
)
select
    tanon._snapshot_start(
        (select any_value({ts}) from {source}), tanon_snapshot, {granularity}
    ) as {ts},
    coalesce(records, 0) as records,
    coalesce(level, 0) as level,
    records / level as max_l,
    coalesce(level = tanon_cut, true) as eligible,
    coalesce(list_sum(list_transform(
        tanon_counts, lambda tanon_n: greatest(tanon_n - tanon_cut, 0)
    )), 0)::bigint as excess
from tanon_snapshots left join tanon_levels using (tanon_snapshot)
