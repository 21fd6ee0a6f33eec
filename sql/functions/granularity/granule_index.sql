-- The index of the granule that covers a time.
--
-- Granules of a granularity are numbered without holes in the order of time; number 0 covers
-- 1970-01-01 00:00. NULL where no granule covers the time: a weekend in business_day, or outside
-- the years 1 to 9999. A DATE counts as its midnight. Buckets such as '3 days' begin where
-- time_bucket begins them: multiples from Monday 2000-01-03, months and years from 2000-01-01.
-- With tz, a granule begins when the clock first shows its start: when clocks are set back, time
-- stands until the clock has caught up, so that the index never falls.
--
-- Arguments:
--   ts           time         a DATE, a TIMESTAMP or, with tz, a TIMESTAMP WITH TIME ZONE
--   granularity  text         a built-in granularity or a bucket such as '15 minutes'
--   tz           text = NULL  the time zone whose clock decides; for TIMESTAMP WITH TIME ZONE only
-- Returns: BIGINT
-- For: anybody
-- Example:
--   select admitted, tanon.granule_index(admitted, 'week') as week from visits order by all limit 3

tanon._known('tanon.granule_index', tanon._clock('tanon.granule_index', ts, tz), granularity,
    tanon._index(tanon._clock('tanon.granule_index', ts, tz), granularity))
