-- Returns a hierarchy table of texts cut to their first letters, shorter on each level.
--
-- With lengths [4, 3], 80331 becomes 8033* on level 1 and 803** on level 2. The last level is *
-- unless star is false. Shorter values are unchanged. Numbers are cut as text. NULL stays NULL.
--
-- Cost: one pass for the distinct values.
--
-- Arguments:
--   source     relation        the table, the view or the query in parentheses
--   attribute  column          the quasi-identifier
--   lengths    sizes           the number of remaining letters on each level, fewer on each
--   star       boolean = true  whether the last level replaces all values by *
-- Checks:
--   lengths  tanon._is_descending(lengths)  fewer letters on each level
-- Result:
--   attribute    VARCHAR  the quasi-identifier
--   level        INTEGER  1, 2, 3 and so on
--   value        VARCHAR  the value of the column, as text
--   generalized  VARCHAR  the coarser value on this level
-- For: the owner
-- Example:
--   from tanon.prefix_hierarchy('visits', attribute := 'zip', lengths := [4, 3])
--   order by level, value limit 3

select
    {attribute:text} as attribute, tanon_level::integer as level, tanon_value as value,
    left(tanon_value, ({lengths})[tanon_level])
        || repeat('*', greatest(length(tanon_value) - ({lengths})[tanon_level], 0)) as generalized
from {column_values}, (select unnest(range(1, len({lengths}) + 1)) as tanon_level)
{if star}
union all
select {attribute:text}, len({lengths})::integer + 1, tanon_value, '*'
from {column_values}
{end}
{refusals}
