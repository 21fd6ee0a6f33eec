-- Returns the built-in granularities and the granularities of a calendar, shortest first.
--
-- A number of units is a granularity too, for example '15 minutes', '3 days' or '2 weeks'. The
-- units are second, minute, hour, day, week, month, quarter, year and decade.
--
-- Arguments:
--   calendar  calendar = NULL  your own granularities
-- Result:
--   granularity  VARCHAR  the name
--   kind         VARCHAR  built-in or calendar
--   example      VARCHAR  the label of the granule of 2024-02-29 13:45, or of the first granule of
--       a calendar
-- For: anybody
-- Example:
--   from tanon.granularities()

select tanon_name as granularity, 'built-in' as kind,
    tanon._label(timestamp '2024-02-29 13:45', tanon_name) as example
from (select unnest(tanon._built_in()) as tanon_name)
{if calendar is not null}
union all
select c.granularity, 'calendar', arg_min(c.label, c.starts)
from {calendar} as c
group by c.granularity
{end}
