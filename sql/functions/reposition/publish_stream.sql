-- Returns a stream whose records move forward in time so that every snapshot is l-eligible.
--
-- A snapshot is l-eligible if no sensitive value and no respondent has more than one l-th of its
-- records. Each record is published in its own snapshot or up to w - 1 snapshots later, or is
-- suppressed. tanon.l_eligibility describes snapshots. To release a table once, use
-- tanon.publish_events. To release a stream day by day, use tanon-duck stream.
--
-- The result is the input of tanon.publish_table_pair and not yet a release, because it has
-- quasi-identifiers and sensitive values side by side. It contains the published time instead of
-- the true one, sensitive, and keep. Suppressed rows are absent, and rows are sorted. The function
-- checks the result before it returns rows.
--
-- Other values of result return facts about the same stream:
--
--   'plan'      the number of records of each value that move from one snapshot to another.
--   'summary'   one row with the moves, the suppressed records and the errors of counts.
--   'warnings'  risks that remain. No rows means that the stream is empty.
--
-- Pass respondent, or rows_are_persons := true if every record is a different respondent. The
-- function refuses a stream in which a respondent could have more than one l-th of a published
-- snapshot. With repeats := 'one' it suppresses records of a respondent that are closer than w
-- snapshots to the last remaining one.
--
-- Costs:
--
-- A moved record costs move_cost, and a suppressed record costs suppress_cost. move_cost is 'd',
-- 'd^2', a multiple such as '2.5*d', or a table (distance, cost) that is 0 at 0 and convex.
-- suppress_cost is a number, or a table (value, cost) with one row for each sensitive value and for
-- NULL. Its default is slightly above the cost of the longest move.
--
-- Values of method:
--
--   'step'    decides each snapshot without looking ahead, at the lowest cost. It is fast.
--   'window'  moves all records of unreleased snapshots again at each step. The loss is lower. It
--             takes about 20 ms for each snapshot and needs pip install 'tanon-duck[ilp]'.
--   'paper'   the published algorithm, for comparison.
--
-- start := 'ilp' solves the first window exactly and needs the same package. The secret decides
-- which of several equal records moves.
--
-- Values of lateness:
--
--   'any'      moves single records. Most late and suppressed records have the value that was too
--              frequent. An adversary who knows the true day of a respondent can guess it.
--   'covered'  moves several records together. Among the records of a snapshot that stay, move
--              together or are suppressed, a value has at most 1/l or its share in the snapshot.
--              The larger figure applies. The loss is higher.
--
-- The release does not protect suppressed records of all snapshots together. Even with 'covered'
-- one value can have more than 1/l of them.
--
-- In the summary, empty snapshots within the stream count as eligible. The posteriors are shares of
-- right guesses about late or suppressed records. The adversary knows the true snapshot and sees
-- where the records went. day_posterior is the share for an adversary who knows the true snapshot
-- only.
--
-- The warnings:
--
--   'best guess'               the largest share of a value in a published snapshot.
--   'suppressed'               records that no snapshot contains.
--   'true day of the late'     the share of right guesses about late records, if the adversary
--                              knows the true snapshot and sees the published one.
--   'true day of the missing'  the same share for suppressed records.
--   'missing'                  the share of right guesses about suppressed records, if the
--                              adversary knows only that a respondent is in the stream.
--   'values lost'              values without a published record.
--   'snapshots lost'           snapshots that have records but publish none.
--   'several records'          respondents with several records.
--   'repeats lost'             records that repeats := 'one' suppresses.
--   'counts'                   the mean relative error of the count of a value in a snapshot.
--
-- Cost: one aggregation by snapshot and value, one join, and one sort of the result. With
-- respondent, one aggregation by respondent. DuckDB spills to disk what does not fit in memory.
--
-- Arguments:
--   uses reposition
--   keep  columns or none as quasi-identifier and keep = []  the quasi-identifiers and other
--       columns for tanon.publish_table_pair, unchanged
--   for_owner  boolean = false       whether to return all rows and columns with the moves of each
--       row
--   result  one of 'release', 'plan', 'summary', 'warnings' = 'release'  the stream, or facts about
--       the stream as described above
-- Checks:
--   keep  not tanon._share_a_name(keep, [ts, sensitive])  columns apart from ts, sensitive and
--       respondent
--   keep  not tanon._share_a_name(keep, respondent)  columns apart from ts, sensitive and
--       respondent
-- Result:
--   {ts}          as in source  the first instant of the published snapshot
--   {sensitive}          as in source  the sensitive value
--   {respondent}         as in source  (with respondent) the respondent, for
--       tanon.publish_table_pair
--   {keep}        as in source  a column of keep
--   source.*      as in source  (for_owner, and then first) the row of the source
--   published_ts  as ts         (for_owner) the published snapshot; NULL if suppressed
--   distance      BIGINT        (for_owner) the number of snapshots by which the record moved; NULL
--       if suppressed
--   loss          DOUBLE        (for_owner) the cost of the record; NULL for a repeat
--   reason        VARCHAR       (for_owner) the reason for the suppression: 'repeat', or that no
--       snapshot could take the record
-- For: the owner
-- Result plan:
--   {sensitive}          as in source  the sensitive value
--   {ts}          as in source  the first instant of the true snapshot
--   published_ts  as ts         the first instant of the published snapshot; NULL if suppressed
--   records       BIGINT        the number of records
--   reason        VARCHAR       the reason for the suppression, as in the release
-- For: the owner
-- Result summary:
--   records           BIGINT               the number of records
--   moved             BIGINT               the number of late records
--   suppressed        BIGINT               the number of suppressed records
--   repeats           BIGINT               the number of records that repeats := 'one' suppressed
--   several           BIGINT               respondents with several records; NULL without
--       respondent
--   mean_distance     DOUBLE               the mean distance of the published records
--   max_distance      BIGINT               the longest distance
--   information_loss  DOUBLE               the sum of move_cost and suppress_cost, without repeats
--   snapshots         BIGINT               snapshots from the first to the last, empty ones
--       included
--   eligible_before   BIGINT               the number of l-eligible snapshots of the source
--   eligible_after    BIGINT               the number of l-eligible published snapshots
--   distances         MAP(BIGINT, BIGINT)  the number of published records by distance
--   window_error_1    DOUBLE               the mean relative error of counts of a value in a
--       snapshot
--   window_error_7    DOUBLE               the mean relative error in windows of 7 snapshots; NULL
--       for shorter streams
--   window_error_30   DOUBLE               the mean relative error in windows of 30 snapshots
--   worst_posterior   DOUBLE               the largest share of a value among records with the same
--       move
--   mean_posterior    DOUBLE               the share of right guesses about late records; NULL
--       without late records
--   day_posterior     DOUBLE               the share of right guesses about these records from the
--       snapshot only
-- For: the owner
-- Result warnings:
--   warning  VARCHAR  the name of the warning
--   affects  VARCHAR  the column; NULL if the row is about all columns
--   records  BIGINT   the number of records concerned
--   share    DOUBLE   the share of these records; for guesses the share of right ones; for 'counts'
--       the error
--   advice   VARCHAR  the meaning and the remedy
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
