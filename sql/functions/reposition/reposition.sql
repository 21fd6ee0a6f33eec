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
{% include "fragments/reposition_arguments.sql" %}
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

with
{% include "fragments/reposition_flows.sql" %},
{% include "fragments/reposition_shares.sql" %},
tanon_rows as not materialized (
    select
        tanon_row.*, tanon_group, tanon_whole, tanon_published, tanon_distance, tanon_loss
    from {source} as tanon_row join tanon_groups
        on tanon._snapshot({tanon_row.ts}, {granularity}) = tanon_home
        and {tanon_row.sa} is not distinct from tanon_sa
),
tanon_secret_key as materialized (
    select tanon._key({secret}, {function}, list(column_type order by folded)) as tanon_key
    from tanon_columns_of_source
),
tanon_written as (
    select
        * exclude (tanon_whole, tanon_published, tanon_distance, tanon_loss),
        row(*columns(* exclude (
            tanon_group, tanon_whole, tanon_published, tanon_distance, tanon_loss
        )))::varchar as tanon_text
    from tanon_rows
    where not tanon_whole
),
tanon_numbered as (
    select *, row_number() over (partition by tanon_group, tanon_text) as tanon_copy
    from tanon_written
),
tanon_ranked as (
    select
        * exclude (tanon_text, tanon_copy),
        row_number() over (partition by tanon_group order by tanon._keyed(
            (select tanon_key from tanon_secret_key), concat(tanon_copy, ':', tanon_text)
        )) as tanon_rank
    from tanon_numbered
),
tanon_moved as (
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
)
{if for_owner}
from tanon_moved
{else}
from (
    select published_ts as {ts}, {sa} {,keep} from tanon_moved where published_ts is not null
)
order by {ts}, {sa} {,keep}, tanon._spelling({sa})
    {for k in tanon._list(keep) joined by ''}, tanon._spelling({k:name}){end}
{end}
