-- What tanon.reposition would do, in counts: how many records of a value go from when to when.
--
-- The arguments mean what they mean in tanon.reposition. Records that stay are listed too.
-- With late 'any' the way tells of the value: the release holds against somebody who does not know
-- the true day. With 'covered' somebody who knows the day learns nothing from the way.
--
-- Cost: one aggregation per (snapshot, value); no row is numbered or copied.
--
-- Arguments:
{% include "arguments/reposition.sql" %}
-- Checks:
{% include "arguments/late_checks.sql" %}
-- Result:
--   {sa}          as in source  the sensitive value
--   {ts}          as in source  the first instant of the snapshot the records come from
--   published_ts  as ts         the first instant of the snapshot they go to, NULL if suppressed
--   records       BIGINT        how many
-- For: the owner
-- Shards:
--   spelled_cells  by anything  counts of snapshots and values, added up
-- Example:
--   from tanon.reposition_plan('cases', ts := 'day', sa := 'disease', l := 2, w := 4)
--   where published_ts is null order by all

select
    tanon_sa as {sa},
    tanon._snapshot_start((select any_value({ts}) from {source}), tanon_home, {granularity})
        as {ts},
    tanon._snapshot_start((select any_value({ts}) from {source}), tanon_slot, {granularity})
        as published_ts,
    tanon_records as records
from {flows} join {stream_values} using (tanon_value)
