-- Returns the first instant of the granule that covers a time.
--
-- The result is a TIMESTAMP. With a TIMESTAMP WITH TIME ZONE and tz it is a TIMESTAMP WITH TIME
-- ZONE: the first instant at which the local clock shows the start of the granule.
--
-- Arguments:
--   ts           time         a DATE, a TIMESTAMP or, with tz, a TIMESTAMP WITH TIME ZONE
--   granularity  text         a built-in granularity or a bucket such as '15 minutes'
--   tz           text = NULL  the time zone of the granules, for TIMESTAMP WITH TIME ZONE only
-- Returns: TIMESTAMP
-- For: anybody
-- Example:
--   select admitted, tanon.granule_start(admitted, '2 weeks') as since from visits
--   order by all limit 3

tanon._known('tanon.granule_start', tanon._clock('tanon.granule_start', ts, tz), granularity,
    tanon._of_same_type(
        tanon._start(tanon._clock('tanon.granule_start', ts, tz), granularity), ts, tz))
