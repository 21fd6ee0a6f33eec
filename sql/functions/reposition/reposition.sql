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
-- begin (HiGHS as well). Which of several equal records moves is decided by secret.
--
-- The result is what tanon.publish_anatomy makes the two tables for others from: the published
-- time in place of the true one, sa, and what keep names. Suppressed rows are absent, and rows
-- come sorted. for_owner gives all rows, with all columns, the true time among them. The result
-- is checked before it is returned. It is not for others by itself: quasi-identifiers stand
-- beside values.
--
-- Cost: one aggregation per (snapshot, value), one join back; row numbers only for the
-- (snapshot, value) groups that really split. Memory: those counts; DuckDB spills the rest.
--
-- Arguments:
{% include "arguments/reposition.sql" %}
--   keep       columns or none = []  what else goes on to Anatomy, as it is: quasi-identifiers
--   for_owner  boolean = false       all rows and columns, and what became of each row
-- Checks:
--   l     tanon._is_rational_above(l, 1)  a rational number greater than 1 such as 3, 2.5 or '5/2'
--   keep  not tanon._share_a_name(keep, [ts, sa])  columns apart from ts and sa
-- Result:
--   {ts}          as in source  the first instant of the snapshot in which a row is published
--   {sa}          as in source  the sensitive value
--   {keep}        as in source  what was to be kept
--   source.*      as in source  (for_owner, and then first) the row as it is
--   published_ts  as ts         (for_owner) its published snapshot, NULL if suppressed
--   distance      BIGINT        (for_owner) how many snapshots it moved, NULL if suppressed
--   loss          DOUBLE        (for_owner) its information loss
-- For: the owner
-- Example:
--   from tanon.reposition('cases', ts := 'day', sa := 'disease', l := 2, w := 4,
--       keep := ['age', 'district'])
--   order by all limit 8

-- Which of the records of a snapshot and value go where, by their rank.
step shares materialized
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
    from {flows} join {stream_values} using (tanon_value)
    where {checked flows_are_right}
end

-- Whole groups go one way; of the others each row gets a rank.
step placed_groups materialized
    select
        tanon_group, any_value(tanon_home) as tanon_home, any_value(tanon_sa) as tanon_sa,
        count(*) = 1 as tanon_whole,
        any_value(tanon_published) as tanon_published,
        any_value(tanon_distance) as tanon_distance,
        any_value(tanon_loss) as tanon_loss
    from {shares}
    group by tanon_group
end

step placed_rows not materialized
    select
        {if for_owner} tanon_row.* {else} {tanon_row.ts}, {tanon_row.sa} {,tanon_row.keep} {end},
        tanon_group, tanon_whole, tanon_published, tanon_distance, tanon_loss
    from {source} as tanon_row join {placed_groups}
        on tanon._snapshot({tanon_row.ts}, {granularity}) = tanon_home
        and {tanon_row.sa} is not distinct from tanon_sa
end

step key_of_ranks materialized
    select tanon._key({secret}, {function}, list(column_type order by column_type)) as tanon_key
    from {source:columns}
    where tanon._is_named(folded, list_concat([{ts:text}, {sa:text}], {keep:text}))
end

-- Rows alike in what is declared need not be told apart: which of them moves makes no difference.
-- The owner's view tells them apart by all their columns. A window would work out each hash thrice.
step rows_to_rank
    select
        * exclude (tanon_whole, tanon_published, tanon_distance, tanon_loss),
        tanon._keyed(
            (select tanon_key from {key_of_ranks}),
            concat({ts:encoded}, {sa:encoded}, {keep:encoded})
        ) as tanon_hash
        {if for_owner}, tanon._keyed(
            (select tanon_key from {key_of_ranks}),
            row(*columns(* exclude (
                tanon_group, tanon_whole, tanon_published, tanon_distance, tanon_loss
            )))::varchar
        ) as tanon_hash_of_all{end}
    from {placed_rows}
    where not tanon_whole
end

step ranked_rows
    select
        * exclude (tanon_hash {if for_owner}, tanon_hash_of_all{end}),
        row_number() over (
            partition by tanon_group order by tanon_hash {if for_owner}, tanon_hash_of_all{end}
        ) as tanon_rank
    from {rows_to_rank}
end

step moved_rows
    select
        * exclude (tanon_group, tanon_whole, tanon_published, tanon_distance, tanon_loss),
        tanon_published as published_ts, tanon_distance as distance, tanon_loss as loss
    from {placed_rows}
    where tanon_whole
    union all
    select
        tanon_ranked.* exclude (tanon_group, tanon_rank),
        tanon_published as published_ts, tanon_distance as distance, tanon_loss as loss
    from {ranked_rows} as tanon_ranked join {shares} as tanon_s
        on tanon_ranked.tanon_group = tanon_s.tanon_group
        and tanon_rank > tanon_before and tanon_rank <= tanon_before + tanon_records
end

{if for_owner}
from {moved_rows}
{else}
from (
    select published_ts as {ts}, {sa} {,keep} from {moved_rows} where published_ts is not null
)
order by {ts}, {sa} {,keep}, tanon._spelling({sa})
    {for k in tanon._list(keep) joined by ''}, tanon._spelling({k:name}){end}
{end}
