-- What tanon.reposition does to a stream, in one row: what moved, what was lost, what queries
-- notice.
--
-- The arguments mean what they mean in tanon.reposition. Snapshots without records between the
-- first and the last count as eligible ones. window_error_7 is the mean relative error of the
-- counts of each sensitive value over every window of 7 snapshots, windows without that value
-- left out; NULL where the stream is shorter.
--
-- The posteriors are those of somebody who knows the true day and looks where a record went: to
-- which later snapshot, or nowhere. NULL if nobody is late. late 'any' holds only against
-- somebody who does not know the day: the posteriors may be 1. 'covered' holds against somebody who
-- does: mean_posterior is day_posterior, what the day tells by itself.
--
-- Cost: as tanon.reposition_plan, and 38 sums per (snapshot, value).
--
-- Arguments:
{% include "arguments/reposition.sql" %}
-- Result:
--   records           BIGINT               all records
--   moved             BIGINT               records published later than they happened
--   suppressed        BIGINT               records not published
--   mean_distance     DOUBLE               snapshots moved, over all published records
--   max_distance      BIGINT               the longest move
--   information_loss  DOUBLE               mu and beta summed over all records
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
-- Example:
--   from tanon.reposition_summary('cases', ts := 'day', sa := 'disease', l := 2, w := 4)

step stream_span
    select
        min(tanon_home) as tanon_first, max(tanon_home) as tanon_last,
        coalesce(max(tanon_home) - min(tanon_home) + 1, 0) as tanon_snapshots
    from {counts_at_home}
end

step skewed_before
    select tanon_home
    from {counts_at_home}
    group by tanon_home
    having max(tanon_records) * tanon._numerator({l}) > sum(tanon_records) * tanon._denominator({l})
end

step skewed_after
    select tanon_slot
    from {counts_published}
    group by tanon_slot
    having max(tanon_n) * tanon._numerator({l}) > sum(tanon_n) * tanon._denominator({l})
end

step changed_counts
    select tanon_value, tanon_at, sum(tanon_was) as tanon_was, sum(tanon_is) as tanon_is
    from (
        select tanon_value, tanon_home as tanon_at, tanon_records as tanon_was, 0 as tanon_is
        from {counts_at_home}
        union all
        select tanon_value, tanon_slot, 0, tanon_n from {counts_published}
    )
    group by tanon_value, tanon_at
end

step query_windows
    select tanon_length, sum(tanon_was) as tanon_was, sum(tanon_is) as tanon_is
    from (
        select tanon_length, tanon_value, tanon_was, tanon_is, unnest(range(
            greatest(tanon_at - tanon_length + 1, tanon_first),
            least(tanon_at, tanon_last - tanon_length + 1) + 1
        )) as tanon_opens
        from {changed_counts}, {stream_span}, unnest([1, 7, 30]) as tanon_lengths(tanon_length)
    )
    group by tanon_length, tanon_value, tanon_opens
    having sum(tanon_was) > 0
end

-- Whole numbers add up to the same in any order, here and below.
step window_errors
    select
        tanon_length,
        sum((abs(tanon_is - tanon_was) / tanon_was * 1e12)::hugeint) / 1e12 / count(*)
            as tanon_error
    from {query_windows}
    group by tanon_length
end

step gone_alike
    select
        tanon_home, tanon_slot is not distinct from tanon_home as tanon_stayed,
        sum(tanon_n) as tanon_late, max(tanon_n) as tanon_most
    from (
        select tanon_home, tanon_slot, tanon_value, sum(tanon_records) as tanon_n
        from {flows}
        group by tanon_home, tanon_slot, tanon_value
    )
    group by tanon_home, tanon_slot
end

step shares_by_day
    select tanon_home, max(tanon_records) / sum(tanon_records) as tanon_share
    from {counts_at_home}
    group by tanon_home
end

step posteriors
    select
        max(tanon_most / tanon_late) as tanon_worst,
        sum(tanon_most) / sum(tanon_late) as tanon_mean,
        sum((tanon_share * tanon_late * 1e12)::hugeint) / 1e12 / sum(tanon_late) as tanon_by_day
    from {gone_alike} join {shares_by_day} using (tanon_home)
    where not tanon_stayed
end

step records_by_distance
    select tanon_slot - tanon_home as tanon_distance, sum(tanon_records)::bigint as tanon_n
    from {flows}
    where tanon_slot is not null
    group by tanon_distance
end

select
    coalesce(sum(tanon_records), 0)::bigint as records,
    coalesce(sum(tanon_records) filter (tanon_slot > tanon_home), 0)::bigint as moved,
    coalesce(sum(tanon_records) filter (tanon_slot is null), 0)::bigint as suppressed,
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
            map_from_entries(list((tanon_distance, tanon_n) order by tanon_distance)), map {})
        from {records_by_distance}
    )::map(bigint, bigint) as distances,
    (select any_value(tanon_error) from {window_errors} where tanon_length = 1) as window_error_1,
    (select any_value(tanon_error) from {window_errors} where tanon_length = 7) as window_error_7,
    (select any_value(tanon_error) from {window_errors} where tanon_length = 30) as window_error_30,
    (select tanon_worst from {posteriors}) as worst_posterior,
    (select tanon_mean from {posteriors}) as mean_posterior,
    (select tanon_by_day from {posteriors}) as day_posterior
from {flows}
