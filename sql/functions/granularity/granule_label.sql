-- The name of the granule that covers a time.
--
-- Labels of one granularity sort like time. Weeks are labelled with the ISO year: 2024-12-30 is in
-- 2025-W01. A bucket is labelled by its first day or minute. NULL where no granule covers the time.
--
-- Arguments:
--   ts           time         a DATE, a TIMESTAMP or, with tz, a TIMESTAMP WITH TIME ZONE
--   granularity  text         a built-in granularity or a bucket such as '15 minutes'
--   tz           text = NULL  the time zone whose clock decides; for TIMESTAMP WITH TIME ZONE only
-- Returns: VARCHAR
-- For: anybody
-- Example:
--   select admitted, tanon.granule_label(admitted, 'week') as week from visits order by all limit 3

tanon._known('tanon.granule_label', tanon._clock('tanon.granule_label', ts, tz), granularity,
    tanon._label(tanon._clock('tanon.granule_label', ts, tz), granularity))
