-- Moves records forward in time, by less than w snapshots, until every snapshot is l-eligible.
--
-- A snapshot is l-eligible if no sensitive value and no person holds more than one l-th of its
-- records. Few records make a snapshot skewed; its neighbours balance it. A record is published at
-- its own snapshot or a later one, at most w - 1 away, or suppressed. How snapshots are cut:
-- tanon.l_eligibility.
--
-- result asks another question about the same stream, with the same arguments:
--
--   'plan'      how many records of a value go from when to when; records that stay are listed too
--   'summary'   what moved, what was lost, what queries notice, in one row
--   'warnings'  what the stream does not hold against; no rows: it is empty
--
-- respondent names the person of a record, or rows_are_persons := true says that no person has two.
-- What moves is decided by counts of values. Where a person could then hold more than one l-th of a
-- published snapshot the call is refused; a person counts with all records that could come there,
-- whichever of equal records move. repeats := 'one' keeps a person apart instead: the first record
-- of a person is kept, then the first that is w or more snapshots later, and so on; all others are
-- suppressed before anything moves. Of several records in one snapshot the secret draws one.
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
-- late 'any' lets records be late alone, and protects neither late nor suppressed records: mostly
-- they have the value that was too frequent. Who knows the true day of a person and does not find
-- them there guesses that value. Who knows only that a person is in the stream, and finds them
-- nowhere in the release, guesses it too. In the demo, l = 2 and w = 4, 47 records are late and 36
-- are suppressed, and all 83 have the same value, which 49 % of all records have. With 'covered' no
-- value has a larger share among those of a snapshot who stay, who go to one later snapshot or who
-- are lost than 1/l or its share in the snapshot, whichever is larger. Knowing the day and the way
-- then tells no more than that. Of all suppressed records together one value can still have more
-- than 1/l: 49 of 72 in the demo. By method 'step' a snapshot stays, moves or is suppressed as a
-- whole, for 1 to 10 times the loss; by 'window' others move along with records that are late, at
-- the lowest loss that a search of at most 200 nodes finds.
--
-- The result is what tanon.publish_table_pair makes the two tables for others from: the published
-- time in place of the true one, sensitive, and what keep names. Suppressed rows are absent, and
-- rows come sorted. for_owner gives all rows, with all columns, the true time among them; which
-- rows move is what the same keep decides without it. The result is checked before it is returned.
-- It is not for others by itself: quasi-identifiers stand beside values.
--
-- In the summary, snapshots without records between the first and the last count as eligible ones.
-- window_error_7 is the mean relative error of the counts of each sensitive value over every window
-- of 7 snapshots, windows without that value left out; NULL where the stream is shorter. The
-- posteriors are those of somebody who knows the true day and looks where a record went: to which
-- later snapshot, or nowhere. NULL if nobody is late. With late 'any' the posteriors may be 1, and
-- for suppressed records nobody needs to know the day. With 'covered', where snapshots move as a
-- whole, mean_posterior is day_posterior, what the day tells by itself; where companions go along
-- (method 'window') a share may be up to 1/l where the day's is less.
--
-- The warnings:
--
--   best guess               the largest share of a value in a published snapshot
--   suppressed               records that are in no snapshot
--   true day of the late     somebody knows the true snapshot of a record and sees in which later
--                            one it is: how often the most frequent value of those gone the same
--                            way is right, at worst. Listed where the way says more than the
--                            snapshot
--   true day of the missing  the same of those who are in none
--   missing                  somebody knows only that a person is in the stream, and finds them
--                            in none: how often the most frequent value of the missing is right
--   values lost              values of which no record is published
--   snapshots lost           snapshots that had records and publish none
--   several records          persons with several records
--   repeats lost             records that repeats 'one' left out
--   counts                   the mean relative error of the count of a value in a snapshot
--
-- Cost: one aggregation per (snapshot, value), one join back; a row number only for the rows of
-- (snapshot, value) groups that really split, and places drawn for those of them that do not go
-- with most; one sort of the result; with respondent one aggregation per person, and one per
-- snapshot for persons with several records. Memory: those counts and places; DuckDB spills the
-- rest. 'plan' numbers and copies no row; 'summary' and 'warnings' add 38 sums per (snapshot,
-- value).
--
-- Arguments:
--   uses reposition
--   keep       columns or none as quasi-identifier and keep = []  what else goes on to Anatomy, as
--       it is: quasi-identifiers
--   for_owner  boolean = false       all rows and columns, and what became of each row
--   result     one of 'release', 'plan', 'summary', 'warnings' = 'release'  see above
-- Checks:
--   keep  not tanon._share_a_name(keep, [ts, sensitive])  columns apart from ts, sensitive and
--       respondent
--   keep  not tanon._share_a_name(keep, respondent)  columns apart from ts, sensitive and
--       respondent
-- Result:
--   {ts}          as in source  the first instant of the snapshot in which a row is published
--   {sensitive}          as in source  the sensitive value
--   {respondent}         as in source  (with respondent) the person, for tanon.publish_table_pair
--   {keep}        as in source  what was to be kept
--   source.*      as in source  (for_owner, and then first) the row as it is
--   published_ts  as ts         (for_owner) its published snapshot, NULL if suppressed
--   distance      BIGINT        (for_owner) how many snapshots it moved, NULL if suppressed
--   loss          DOUBLE        (for_owner) its information loss, NULL for a repeat
--   reason        VARCHAR       (for_owner) why it is suppressed: 'repeat', or that no snapshot
--       could take it
-- For: the owner
-- Result plan:
--   {sensitive}          as in source  the sensitive value
--   {ts}          as in source  the first instant of the snapshot the records come from
--   published_ts  as ts         the first instant of the snapshot they go to, NULL if suppressed
--   records       BIGINT        how many
--   reason        VARCHAR       why they are suppressed, as in the release
-- For: the owner
-- Result summary:
--   records           BIGINT               all records
--   moved             BIGINT               records published later than they happened
--   suppressed        BIGINT               records not published
--   repeats           BIGINT               those of them that repeats 'one' left out beforehand
--   several           BIGINT               persons with several records; NULL without respondent
--   mean_distance     DOUBLE               snapshots moved, over all published records
--   max_distance      BIGINT               the longest move
--   information_loss  DOUBLE               move_cost and beta summed over all records but repeats
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
-- Result warnings:
--   warning  VARCHAR  what was found
--   affects  VARCHAR  the column, NULL where it is about all of them
--   records  BIGINT   records concerned
--   share    DOUBLE   their share of all records; of guesses that are right for best guess and true
--       day; the error for counts
--   advice   VARCHAR  what it means
-- For: the owner
-- Example:
--   from tanon.publish_stream('cases', respondent := 'person', ts := 'day', sensitive := 'disease',
--       l := 2, w := 4, keep := ['age', 'district'])
--   order by all limit 8

-- How many records of a value a repositioned stream moves from when to when.

step planned
    select
        tanon_value, tanon_home, tanon_slot, tanon_records,
        case when tanon_slot is null
            then 'no l-eligible snapshot within the window could take it' end as reason
    from {flows}
    {if repeats = 'one'}
    union all
    select
        tanon_value, tanon_home, null, sum(tanon_records - tanon_is_kept::integer)::bigint, 'repeat'
    from {repeated_cells} as tanon_c join {spellings} as tanon_s
        on tanon_c.tanon_spelling is not distinct from tanon_s.tanon_spelling
    group by tanon_value, tanon_home
    having sum(tanon_records - tanon_is_kept::integer) > 0
    {end}
end

piece plan_of_stream
select
    tanon_sa as {sensitive},
    tanon._snapshot_start((select any_value({ts}) from {source}), tanon_home, {granularity})
        as {ts},
    tanon._snapshot_start((select any_value({ts}) from {source}), tanon_slot, {granularity})
        as published_ts,
    tanon_records as records,
    reason
from {planned} join {stream_values} using (tanon_value)
end

{if result = 'release'}
{if for_owner}
select
    *, case when published_ts is not null then null when loss is null then 'repeat'
    else 'no l-eligible snapshot within the window could take it' end as reason
from {moved_rows}
{else}
from (
    select published_ts as {ts}, {sensitive} {if respondent is not null}, {respondent} {end} {,keep}
    from {moved_rows}
    where published_ts is not null
    order by
        tanon_cell asc nulls last
        {for k in tanon._list(keep) joined by ''}, tanon._order_key({k:name}) asc nulls last{end}
        {if respondent is not null}, tanon._order_key({respondent}) asc nulls last {end}
)
{end}
{else}
{if result = 'plan'}{plan_of_stream}{else}
{if result = 'summary'}{summary_of_stream}{else}
select warning, affects, records, share, advice
from {warned_of_stream}
order by tanon_place asc nulls last
{end}
{end}
{end}
