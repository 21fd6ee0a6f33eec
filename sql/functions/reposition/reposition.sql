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
-- late 'any' lets records be late alone. It holds against somebody who does not know the true day
-- more exactly than the window, and not against somebody who does: of the demo's 83 late records
-- the commonest value is right for all. With 'covered' no value has a larger share among those of
-- a snapshot who stay, who go to one later snapshot or who are lost than 1/l or its share in the
-- snapshot: somebody who knows the day learns nothing from who is late. By method 'step' a
-- snapshot stays, moves or is suppressed as a whole, for 1 to 10 times the loss; by 'window' others
-- move along with who is late, at the lowest loss that a search of at most 200 nodes finds. See
-- tanon.reposition_summary.
--
-- The result is what tanon.publish_anatomy makes the two tables for others from: the published
-- time in place of the true one, sa, and what keep names. Suppressed rows are absent, and rows
-- come sorted. for_owner gives all rows, with all columns, the true time among them; which rows
-- move is what the same keep decides without it. The result is checked before it is returned. It
-- is not for others by itself: quasi-identifiers stand beside values.
--
-- Cost: one aggregation per (snapshot, value), one join back; a row number only for the rows of
-- (snapshot, value) groups that really split, and places drawn for those of them that do not go
-- with most; one sort of the result. Memory: those counts and places; DuckDB spills the rest.
--
-- Arguments:
{% include "arguments/reposition.sql" %}
--   keep       columns or none as quasi-identifier and keep = []  what else goes on to Anatomy, as
--       it is: quasi-identifiers
--   for_owner  boolean = false       all rows and columns, and what became of each row
-- Checks:
{% include "arguments/late_checks.sql" %}
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
-- Shards:
--   spelled_cells                    by anything  counts of snapshots and values, added up
--   flows, flows_are_right           decided      where they go, of all counts together
--   stream_values, ways              decided      from these
--   query                            by ts, sa    rows of a snapshot and value are together
--   shown                            by ts        no file tells the snapshot that a row came from
-- Example:
--   from tanon.reposition('cases', ts := 'day', sa := 'disease', l := 2, w := 4,
--       keep := ['age', 'district'])
--   order by all limit 8

{if for_owner}
from {moved_rows}
{else}
from (
    select published_ts as {ts}, {sa} {,keep}
    from {moved_rows}
    where published_ts is not null
    order by
        tanon_cell asc nulls last
        {for k in tanon._list(keep) joined by ''}, tanon._order_key({k:name}) asc nulls last{end}
)
{end}
