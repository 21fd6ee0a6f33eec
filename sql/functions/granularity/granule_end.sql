-- The first instant after the granule that covers a time.
--
-- A TIMESTAMP, or a TIMESTAMP WITH TIME ZONE where such a time and tz are given. The granule of
-- Friday in business_week ends on Saturday at midnight, not where the next one begins.
--
-- Arguments:
--   ts           time         a DATE, a TIMESTAMP or, with tz, a TIMESTAMP WITH TIME ZONE
--   granularity  text         a built-in granularity or a bucket such as '15 minutes'
--   tz           text = NULL  the time zone whose clock decides; for TIMESTAMP WITH TIME ZONE only
-- Returns: TIMESTAMP
-- For: anybody
-- Example:
--   select admitted, tanon.granule_end(admitted, 'dekad') as until from visits order by all limit 3

tanon._known('tanon.granule_end', tanon._clock('tanon.granule_end', ts, tz), granularity,
    tanon._of_same_type(
        tanon._end(tanon._clock('tanon.granule_end', ts, tz), granularity), ts, tz))
