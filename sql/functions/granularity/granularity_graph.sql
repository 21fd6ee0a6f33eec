-- Which of the offered granularities are directly coarser than which.
--
-- A granularity is finer than another if each of its granules lies inside one granule of the
-- other; week and month are not comparable. Of one that is built in, only the granules that meet
-- the time between the first and the last granule of a calendar are held against that calendar.
-- Two granularities with the same granules are an error that names both.
--
-- Arguments:
--   granularities  granularities    what is offered
--   calendar       calendar = NULL  granularities of your own
-- Result:
--   finer    VARCHAR  a granularity
--   coarser  VARCHAR  one that is directly coarser: no other of the offered is in between
-- For: anybody
-- Example:
--   from tanon.granularity_graph(['day', 'week', 'month', 'quarter', 'year']) order by all

with
{% set offered = "granularities" %}
{if len(tanon._of_calendar(granularities)) > 0}
{% include "fragments/time/calendar.sql" %}
{end}
{% include "fragments/time/offer.sql" %}
select tanon_finer.tanon_fine as finer, tanon_finer.tanon_coarse as coarser
from tanon_finer
where not exists (
    from tanon_finer as tanon_first join tanon_finer as tanon_second
        on tanon_first.tanon_coarse = tanon_second.tanon_fine
    where tanon_first.tanon_fine = tanon_finer.tanon_fine
        and tanon_second.tanon_coarse = tanon_finer.tanon_coarse
)
