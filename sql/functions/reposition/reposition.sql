-- Moves records forward in time, by less than w snapshots, until every snapshot is l-eligible.
--
-- Few records make a snapshot skewed; its neighbours balance it. A record is published at its
-- own snapshot or a later one, at most w - 1 away, or suppressed; in every published snapshot no
-- sensitive value holds more than one l-th of the records. How snapshots are cut:
-- tanon.l_eligibility.
--
-- The price is information loss: mu(distance) for a moved record, beta for a suppressed one. mu
-- is 'd', 'd^2', a multiple such as '2.5*d', or a table (distance, cost) that is 0 at 0, grows
-- and is convex. beta is a number or a table (value, cost) with a row for each sensitive value,
-- NULL included; left out it is mu(w), so that suppressing costs a bit more than the longest
-- move. Costs count in millionths.
--
-- method 'step' decides snapshot by snapshot and is optimal at every step: the cheapest outcome
-- that leaves the sizes of the earlier snapshots alone. It is exact, fast, and needs no solver.
-- 'window' places all unreleased records anew at each step, which loses 4 to 27 % less, more if
-- mu grows fast, at some 20 ms a snapshot; it needs HiGHS: pip install 'tanon-duck[ilp]'. Each
-- of its plans is optimal to a part in 10^9, but of equally good ones another version of HiGHS
-- may find another, and it moves more records. 'paper' stops where the published algorithm
-- stops, to show what that costs. start 'ilp' solves the first window exactly before the steps
-- begin (HiGHS as well). Which of several equal records moves is drawn from seed.
--
-- The result still holds the original time: release published_ts and leave ts out. Rows with
-- published_ts NULL are not to be released. The result is checked before it is returned.
--
-- Cost: one aggregation per (snapshot, value), one join back; row numbers only for the
-- (snapshot, value) groups that really split. Memory: those counts; DuckDB spills the rest.
--
-- Arguments:
{% include "fragments/reposition_arguments.sql" %}
-- Result:
--   source.*      as in source  the row
--   published_ts  as ts         first instant of its published snapshot, NULL if suppressed
--   distance      BIGINT        how many snapshots it moved, NULL if suppressed
--   loss          DOUBLE        its information loss
-- Example:
--   from tanon.reposition('cases', ts := 'day', sa := 'disease', l := 2, w := 4)
--   where distance > 0 order by all limit 8

with
{% include "fragments/reposition_flows.sql" %},
tanon_shares as materialized (
    select
        tanon_sa, tanon_home, tanon_records, tanon_loss,
        tanon._snapshot_start((select any_value({ts}) from {source}), tanon_slot, {granularity})
            as tanon_published,
        tanon_slot - tanon_home as tanon_distance,
        dense_rank() over (order by tanon_home, tanon_value) as tanon_group,
        coalesce(sum(tanon_records) over (
            partition by tanon_value, tanon_home order by tanon_slot nulls last
            rows between unbounded preceding and 1 preceding
        ), 0)::bigint as tanon_before
    from tanon_flows join tanon_values using (tanon_value)
    where (select tanon_fine from tanon_checked)
),
tanon_groups as materialized (
    select
        tanon_home, tanon_sa, tanon_group, count(*) = 1 as tanon_whole,
        any_value(tanon_published) as tanon_published,
        any_value(tanon_distance) as tanon_distance,
        any_value(tanon_loss) as tanon_loss
    from tanon_shares
    group by all
),
tanon_rows as not materialized (
    select
        tanon_row.*, tanon_group, tanon_whole, tanon_published, tanon_distance, tanon_loss
    from {source} as tanon_row join tanon_groups
        on tanon._snapshot({tanon_row.ts}, {granularity}) = tanon_home
        and {tanon_row.sa} is not distinct from tanon_sa
),
tanon_ranked as (
    select
        * exclude (tanon_whole, tanon_published, tanon_distance, tanon_loss),
        row_number() over (
            partition by tanon_group
            order by hash(*columns(* exclude (
                tanon_group, tanon_whole, tanon_published, tanon_distance, tanon_loss
            )), {seed})
        ) as tanon_rank
    from tanon_rows
    where not tanon_whole
)
select
    * exclude (tanon_group, tanon_whole, tanon_published, tanon_distance, tanon_loss),
    tanon_published as published_ts, tanon_distance as distance, tanon_loss as loss
from tanon_rows
where tanon_whole
union all
select
    tanon_ranked.* exclude (tanon_group, tanon_rank),
    tanon_published as published_ts, tanon_distance as distance, tanon_loss as loss
from tanon_ranked join tanon_shares
    on tanon_ranked.tanon_group = tanon_shares.tanon_group
    and tanon_rank > tanon_before and tanon_rank <= tanon_before + tanon_records
