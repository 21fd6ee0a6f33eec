-- Returns the label of the granule that covers a time.
--
-- The labels of one granularity sort in the order of time. The label of a week has the ISO year:
-- 2024-12-30 is in 2025-W01. The label of a bucket is its first day or minute. The result is NULL
-- if no granule covers the time.
--
-- Arguments:
--   ts           time         a DATE, a TIMESTAMP or, with tz, a TIMESTAMP WITH TIME ZONE
--   granularity  text         a built-in granularity or a bucket such as '15 minutes'
--   tz           text = NULL  the time zone of the granules, for TIMESTAMP WITH TIME ZONE only
-- Returns: VARCHAR
-- For: anybody
-- Example:
--   select admitted, tanon.granule_label(admitted, 'week') as week from visits order by all limit 3

tanon._known('tanon.granule_label', tanon._clock('tanon.granule_label', ts, tz), granularity,
    tanon._label(tanon._clock('tanon.granule_label', ts, tz), granularity))
