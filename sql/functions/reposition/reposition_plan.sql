-- What tanon.reposition would do, in counts: how many records of a value go from when to when.
--
-- The arguments mean what they mean in tanon.reposition. Records that stay are listed too.
-- With late 'any' the way tells the value of late and suppressed records. With 'covered' somebody
-- who knows the day learns from the way at most that a value has a share of 1/l.
--
-- Cost: one aggregation per (snapshot, value), and one per person; no row is numbered or copied.
--
-- Arguments:
{% include "arguments/reposition.sql" %}
-- Checks:
{% include "arguments/reposition_checks.sql" %}
-- Result:
--   {sa}          as in source  the sensitive value
--   {ts}          as in source  the first instant of the snapshot the records come from
--   published_ts  as ts         the first instant of the snapshot they go to, NULL if suppressed
--   records       BIGINT        how many
--   reason        VARCHAR       why they are suppressed, as in tanon.reposition
-- For: the owner
-- Shards:
--   spelled_cells     by anything  counts of snapshots and values, added up
--   cells_of_persons  by uid when uid  persons who have records near each other
-- Example:
--   from tanon.reposition_plan('cases', uid := 'person', ts := 'day', sa := 'disease',
--       l := 2, w := 4)
--   where published_ts is null order by all

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

select
    tanon_sa as {sa},
    tanon._snapshot_start((select any_value({ts}) from {source}), tanon_home, {granularity})
        as {ts},
    tanon._snapshot_start((select any_value({ts}) from {source}), tanon_slot, {granularity})
        as published_ts,
    tanon_records as records,
    reason
from {planned} join {stream_values} using (tanon_value)
