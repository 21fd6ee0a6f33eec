-- Returns the number of the granule that covers a time.
--
-- The granules of a granularity have consecutive numbers in the order of time. Number 0 covers
-- 1970-01-01 00:00. The result is NULL if no granule covers the time, for example for a weekend in
-- business_day. It is also NULL outside the years 1 to 9999. A DATE counts as its midnight.
--
-- Buckets such as '3 days' begin at multiples from Monday 2000-01-03, and buckets of months and
-- years at multiples from 2000-01-01, as for time_bucket. With tz, granules begin by the local
-- clock. If the clock is set back, the number stays the same until the clock shows a later time.
--
-- Arguments:
--   ts           time         a DATE, a TIMESTAMP or, with tz, a TIMESTAMP WITH TIME ZONE
--   granularity  text         a built-in granularity or a bucket such as '15 minutes'
--   tz           text = NULL  the time zone of the granules, for TIMESTAMP WITH TIME ZONE only
-- Returns: BIGINT
-- For: anybody
-- Example:
--   select admitted, tanon.granule_index(admitted, 'week') as week from visits order by all limit 3

tanon._known('tanon.granule_index', tanon._clock('tanon.granule_index', ts, tz), granularity,
    tanon._index(tanon._clock('tanon.granule_index', ts, tz), granularity))
