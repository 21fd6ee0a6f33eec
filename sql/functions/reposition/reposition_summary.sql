-- What tanon.reposition does to a stream, in one row: what moved, what was lost, what queries
-- notice.
--
-- The arguments mean what they mean in tanon.reposition. Snapshots without records between the
-- first and the last count as eligible ones. window_error_7 is the mean relative error of the
-- counts of each sensitive value over every window of 7 snapshots, windows without that value
-- left out; NULL where the stream is shorter.
--
-- The posteriors are those of somebody who knows the true day and looks where a record went: to
-- which later snapshot, or nowhere. NULL if nobody is late. With late 'any' the posteriors may be
-- 1, and for suppressed records nobody needs to know the day: see tanon.reposition. With 'covered',
-- where snapshots move as a whole, mean_posterior is day_posterior, what the day tells by
-- itself; where companions go along (method 'window') a share may be up to 1/l where the day's is
-- less.
--
-- Cost: as tanon.reposition_plan, and 38 sums per (snapshot, value).
--
-- Arguments:
{% include "arguments/reposition.sql" %}
-- Checks:
{% include "arguments/reposition_checks.sql" %}
-- Result:
--   records           BIGINT               all records
--   moved             BIGINT               records published later than they happened
--   suppressed        BIGINT               records not published
--   repeats           BIGINT               those of them that repeats 'one' left out beforehand
--   several           BIGINT               persons with several records; NULL without uid
--   mean_distance     DOUBLE               snapshots moved, over all published records
--   max_distance      BIGINT               the longest move
--   information_loss  DOUBLE               mu and beta summed over all records but repeats
--   snapshots         BIGINT               snapshots from first to last, empty ones included
--   eligible_before   BIGINT               how many of them were l-eligible
--   eligible_after    BIGINT               how many of them are l-eligible as published
--   distances         MAP(BIGINT, BIGINT)  published records by distance
--   window_error_1    DOUBLE               mean relative error of counts per value and snapshot
--   window_error_7    DOUBLE               the same over windows of 7 snapshots
--   window_error_30   DOUBLE               the same over windows of 30 snapshots
--   worst_posterior   DOUBLE               highest share of a value among those gone alike
--   mean_posterior    DOUBLE               share of the late whose value the best guess tells
--   day_posterior     DOUBLE               the same by the day alone, of the same records
-- For: the owner
-- Shards:
--   spelled_cells     by anything  counts of snapshots and values, added up
--   cells_of_persons  by uid when uid  persons who have records near each other
--   persons_with_several  by uid when uid  how many there are
-- Example:
--   from tanon.reposition_summary('cases', uid := 'person', ts := 'day', sa := 'disease',
--       l := 2, w := 4)

step skewed_before
    select tanon_home
    from {counts_at_home}
    group by tanon_home
    having max(tanon_records) * tanon._numerator({l}) > sum(tanon_records) * tanon._denominator({l})
    {if uid is not null and repeats = 'separate'}
    union
    select tanon_home
    from (
        select tanon_home, tanon_person, sum(tanon_records) as tanon_n
        from {cells_of_persons}
        group by tanon_home, tanon_person
    ) join (
        select tanon_home, sum(tanon_records) as tanon_size
        from {counts_at_home}
        group by tanon_home
    ) using (tanon_home)
    where tanon_n * tanon._numerator({l}) > tanon_size * tanon._denominator({l})
    {end}
end

step skewed_after
    select tanon_slot
    from {counts_published}
    group by tanon_slot
    having max(tanon_n) * tanon._numerator({l}) > sum(tanon_n) * tanon._denominator({l})
end

step repeats_in_all
    {if repeats = 'separate'} select 0::bigint as tanon_repeats
    {else}
    select coalesce(sum(tanon_records - tanon_is_kept::integer), 0)::bigint as tanon_repeats
    from {repeated_cells}
    {end}
end

step distances
    select tanon_slot - tanon_home as tanon_distance, sum(tanon_records)::bigint as tanon_n
    from {flows}
    where tanon_slot is not null
    group by tanon_distance
end

select
    coalesce(sum(tanon_records), 0)::bigint + (from {repeats_in_all}) as records,
    coalesce(sum(tanon_records) filter (tanon_slot > tanon_home), 0)::bigint as moved,
    coalesce(sum(tanon_records) filter (tanon_slot is null), 0)::bigint + (from {repeats_in_all})
        as suppressed,
    (from {repeats_in_all}) as repeats,
    (select tanon_persons from {persons_with_several}) as several,
    sum(tanon_records * (tanon_slot - tanon_home))
        / nullif(sum(tanon_records) filter (tanon_slot is not null), 0) as mean_distance,
    max(tanon_slot - tanon_home) as max_distance,
    coalesce(sum((tanon_loss * 1000000)::hugeint * tanon_records), 0) / 1000000 as information_loss,
    (select tanon_snapshots from {stream_span}) as snapshots,
    (select tanon_snapshots from {stream_span}) - (select count(*) from {skewed_before})
        as eligible_before,
    (select tanon_snapshots from {stream_span}) - (select count(*) from {skewed_after})
        as eligible_after,
    (
        select coalesce(
            map_from_entries(list(
                (tanon_distance, tanon_n) order by tanon_distance asc nulls last
            )), map {})
        from {distances}
    )::map(bigint, bigint) as distances,
    (select any_value(tanon_error) from {window_errors} where tanon_length = 1) as window_error_1,
    (select any_value(tanon_error) from {window_errors} where tanon_length = 7) as window_error_7,
    (select any_value(tanon_error) from {window_errors} where tanon_length = 30) as window_error_30,
    (select tanon_worst from {posteriors}) as worst_posterior,
    (select tanon_mean from {posteriors}) as mean_posterior,
    (select tanon_by_day from {posteriors}) as day_posterior
from {flows}
