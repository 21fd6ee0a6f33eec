-- Returns the pairs of granularities of which one is directly coarser than the other.
--
-- A granularity is finer than another one if each of its granules lies inside one granule of the
-- other. For example, months are finer than quarters, and weeks and months are not comparable. If a
-- calendar has its own granularities, the function compares a built-in granularity with them only
-- between the first and the last granule of the calendar. Two granularities with the same granules
-- are an error that names both.
--
-- Arguments:
--   granularities  granularities    the granularities to compare
--   calendar       calendar = NULL  your own granularities
-- Result:
--   finer    VARCHAR  a granularity
--   coarser  VARCHAR  a directly coarser granularity: no other granularity of the argument lies
--       between
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
