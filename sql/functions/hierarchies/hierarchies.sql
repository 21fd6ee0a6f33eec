-- Returns a hierarchy table for several attributes, from one short text for each.
--
-- Each text has a form of this list. The last level of each hierarchy is * for all values:
--
--   'intervals 5, 10, 20'        numbers in intervals, as tanon.interval_hierarchy. Further words
--                                in this order: from 1, below 18, above 90. Intervals begin at
--                                from. Values below and above form one group each.
--   'prefixes 4, 3'              texts of this number of letters, as tanon.prefix_hierarchy.
--   'list'                       only *, as tanon.list_hierarchy.
--   'quantiles 8, 4, 2'          bins of equally many rows, as tanon.quantile_hierarchy.
--   'dates month, year, decade'  dates in granules, as tanon.date_hierarchy.
--   'parents districts(district, region, country)'  a table, its column of values and its columns
--                                of parents, as tanon.parent_hierarchy.
--
-- Without specifications the function uses the declared generalization of the quasi-identifiers.
-- Functions with an argument hierarchies take this table and check it. To add your own rows, use
-- union all.
--
-- Cost: one pass over the rows for each attribute.
--
-- Arguments:
--   source  relation                            the table, the view or the query in parentheses
--   specifications  ways as generalized quasi-identifier  the generalization of each attribute
-- Result:
--   attribute    VARCHAR  the quasi-identifier
--   level        INTEGER  1, 2, 3 and so on
--   value        VARCHAR  the value of the column, as text
--   generalized  VARCHAR  the coarser value on this level
-- For: the owner
-- Example:
--   from tanon.hierarchies('visits',
--       {'age': 'intervals 5, 10, 20 above 90', 'zip': 'prefixes 4, 3'})
--   order by level, value limit 3

{for e in tanon._entry_texts(specifications) joined by ' union all '}
{tanon._way_text(e, source)}
{end}
