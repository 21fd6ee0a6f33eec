-- A table of hierarchies for several attributes at once: how each is generalized, level by level.
--
-- What is said of an attribute is one of these; each ends with a level *, for all values:
--
--   intervals 5, 10, 20           numbers: tanon.interval_hierarchy; also from 1 (where intervals
--                                 begin), below 18 and above 90 (one group each): in this order
--   prefixes 4, 3                 texts cut to so many letters: tanon.prefix_hierarchy
--   list                          nothing between the value and *: tanon.list_hierarchy
--   quantiles 8, 4, 2             bins of as many rows each: tanon.quantile_hierarchy
--   dates month, year, decade     dates in granules: tanon.date_hierarchy
--   parents districts(district, region, country)   a table, its column of values and those of what
--                                 they belong to: tanon.parent_hierarchy
--
-- Where ways is left out, it is what the quasi-identifiers of the relation are declared to be
-- generalized by. Functions with an argument hierarchies take this table, and check it; rows of
-- your own can be added with union all.
--
-- Cost: one pass over the rows for each attribute.
--
-- Arguments:
--   source  relation                            the table, the view or the query in parentheses
--   specifications  ways as generalized quasi-identifier  how each attribute is generalized
-- Result:
--   attribute    VARCHAR  the quasi-identifier
--   level        INTEGER  1, 2, 3 and so on
--   value        VARCHAR  what the column holds, as text
--   generalized  VARCHAR  what stands for it on this level
-- For: the owner
-- Example:
--   from tanon.hierarchies('visits',
--       {'age': 'intervals 5, 10, 20 above 90', 'zip': 'prefixes 4, 3'})
--   order by level, value limit 3

{for e in tanon._entry_texts(specifications) joined by ' union all '}
{tanon._way_text(e, source)}
{end}
