-- Splits a table into l-diverse groups without changing a value (Anatomy, Xiao and Tao 2006).
--
-- The rows of each partition, for example each snapshot, are sorted by sensitive value and dealt
-- round into as many groups as hold at least l rows each; no value comes twice into a group if l
-- is a whole number, and never makes up more than one l-th of it. Equal values are dealt in an
-- order drawn from seed: keep the seed to yourself, whoever knows it can repeat the deal. A
-- partition that is not l-eligible is an error that names it. NULL in sa is a value like any
-- other.
--
-- The result still holds both sides; tanon.publish_anatomy gives the two tables to release.
--
-- Cost: one sort of the table by partition and value; DuckDB spills what does not fit in memory.
--
-- Arguments:
--   source     relation        the table, the view or the query in parentheses
--   sa         column          the sensitive value
--   l          rational >= 1   the least number of values that must balance in a group
--   partition  columns = NULL  what is split by itself: the column of the snapshots
--   seed       integer = 0     the secret that decides between equal values
-- Result:
--   source.*  as in source  the row
--   a_group   BIGINT        its group, numbered from 1
-- Example:
--   from tanon.anatomize('visits', sa := 'diagnosis', l := 2)
--   order by all limit 6

with
{% include "fragments/anatomy_groups.sql" %}
from tanon_anatomy
