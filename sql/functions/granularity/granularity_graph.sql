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

select tanon_f.tanon_below as finer, tanon_f.tanon_above as coarser
from {finer} as tanon_f
where not exists (
    from {finer} as tanon_first join {finer} as tanon_second
        on tanon_first.tanon_above = tanon_second.tanon_below
    where tanon_first.tanon_below = tanon_f.tanon_below
        and tanon_second.tanon_above = tanon_f.tanon_above
)
    {if calendar is not null} and {calendar:checked} {end}
