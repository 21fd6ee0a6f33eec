-- Returns the first instant after the granule that covers a time.
--
-- The result is a TIMESTAMP. With a TIMESTAMP WITH TIME ZONE and tz it is a TIMESTAMP WITH TIME
-- ZONE. If granules have gaps, the end is not the start of the next granule. For example, the
-- granule of a Friday in business_week ends on Saturday at midnight.
--
-- Arguments:
--   ts           time         a DATE, a TIMESTAMP or, with tz, a TIMESTAMP WITH TIME ZONE
--   granularity  text         a built-in granularity or a bucket such as '15 minutes'
--   tz           text = NULL  the time zone of the granules, for TIMESTAMP WITH TIME ZONE only
-- Returns: TIMESTAMP
-- For: anybody
-- Example:
--   select admitted, tanon.granule_end(admitted, 'dekad') as until from visits order by all limit 3

tanon._known('tanon.granule_end', tanon._clock('tanon.granule_end', ts, tz), granularity,
    tanon._of_same_type(
        tanon._end(tanon._clock('tanon.granule_end', ts, tz), granularity), ts, tz))
