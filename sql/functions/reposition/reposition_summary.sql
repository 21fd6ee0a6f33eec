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
{% include "fragments/reposition_arguments.sql" %}
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

with
{% include "fragments/reposition_flows.sql" %},
tanon_span as (
    select
        min(tanon_home) as tanon_first, max(tanon_home) as tanon_last,
        coalesce(max(tanon_home) - min(tanon_home) + 1, 0) as tanon_snapshots
    from tanon_counts
),
tanon_skewed as (
    select tanon_home
    from tanon_counts
    group by tanon_home
    having max(tanon_records) * tanon._numerator({l}) > sum(tanon_records) * tanon._denominator({l})
),
tanon_skewed_after as (
    select tanon_slot
    from tanon_slots
    group by tanon_slot
    having max(tanon_n) * tanon._numerator({l}) > sum(tanon_n) * tanon._denominator({l})
),
{% include "fragments/reposition_errors.sql" %},
tanon_told as (
    select
        tanon_home, tanon_slot is not distinct from tanon_home as tanon_stayed,
        sum(tanon_n) as tanon_late, max(tanon_n) as tanon_most
    from (
        select tanon_home, tanon_slot, tanon_value, sum(tanon_records) as tanon_n
        from tanon_flows
        group by all
    )
    group by tanon_home, tanon_slot
),
tanon_days as (
    select tanon_home, max(tanon_records) / sum(tanon_records) as tanon_share
    from tanon_counts
    group by tanon_home
),
tanon_known as (
    select
        max(tanon_most / tanon_late) as tanon_worst,
        sum(tanon_most) / sum(tanon_late) as tanon_mean,
        -- whole numbers add up to the same in any order
        sum((tanon_share * tanon_late * 1e12)::hugeint) / 1e12 / sum(tanon_late) as tanon_by_day
    from tanon_told join tanon_days using (tanon_home)
    where not tanon_stayed
),
tanon_histogram as (
    select tanon_slot - tanon_home as tanon_distance, sum(tanon_records)::bigint as tanon_n
    from tanon_flows where tanon_slot is not null
    group by all
)
select
    coalesce(sum(tanon_records), 0)::bigint as records,
    coalesce(sum(tanon_records) filter (tanon_slot > tanon_home), 0)::bigint as moved,
    coalesce(sum(tanon_records) filter (tanon_slot is null), 0)::bigint as suppressed,
    sum(tanon_records * (tanon_slot - tanon_home))
        / nullif(sum(tanon_records) filter (tanon_slot is not null), 0) as mean_distance,
    max(tanon_slot - tanon_home) as max_distance,
    coalesce(sum((tanon_loss * 1000000)::hugeint * tanon_records), 0) / 1000000 as information_loss,
    (select tanon_snapshots from tanon_span) as snapshots,
    (select tanon_snapshots from tanon_span) - (select count(*) from tanon_skewed)
        as eligible_before,
    (select tanon_snapshots from tanon_span) - (select count(*) from tanon_skewed_after)
        as eligible_after,
    (
        select coalesce(
            map_from_entries(list((tanon_distance, tanon_n) order by tanon_distance)), map {})
        from tanon_histogram
    )::map(bigint, bigint) as distances,
    (select any_value(tanon_error) from tanon_errors where tanon_length = 1) as window_error_1,
    (select any_value(tanon_error) from tanon_errors where tanon_length = 7) as window_error_7,
    (select any_value(tanon_error) from tanon_errors where tanon_length = 30) as window_error_30,
    (select tanon_worst from tanon_known) as worst_posterior,
    (select tanon_mean from tanon_known) as mean_posterior,
    (select tanon_by_day from tanon_known) as day_posterior
from tanon_flows
where (select tanon_fine from tanon_checked)
