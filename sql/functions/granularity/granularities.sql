-- The granularities that can be used, shortest first.
--
-- Beside these, any number of a unit is a granularity: '15 minutes', '3 days', '2 weeks'; units are
-- second, minute, hour, day, week, month, quarter, year and decade. A calendar adds its own.
--
-- Arguments:
--   calendar  calendar = NULL  granularities of your own
-- Result:
--   granularity  VARCHAR  its name
--   kind         VARCHAR  built-in or calendar
--   example      VARCHAR  the label of the granule of 2024-02-29 13:45, or of the first granule
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
