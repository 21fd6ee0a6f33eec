-- Returns the least granularity that makes a table k-anonymous.
--
-- The result contains the rows of tanon.granularity_metrics with least = true, ties included. It
-- has no row if no offered granularity is acceptable. Use tanon.granularity_metrics to see the
-- figures of all offered granularities. If no granularity covers every time, the function raises an
-- error.
--
-- Least means the smallest gen_m first. A coarse granularity can be least if few respondents are in
-- the first or last granule of the table. tanon.publish_events releases the granularity that loses
-- the least information, unless choose_by is 'least'.
--
-- Cost: a check of the rarest quasi-identifiers excludes granularities first. One sort of all rows
-- and one aggregation for each remaining granularity follow. DuckDB spills to disk what does not
-- fit in memory.
--
-- Arguments:
--   uses offer
-- Result:
--   granularity        VARCHAR  the offered granularity
--   feasible           BOOLEAN  true
--   reason             VARCHAR  NULL
--   gen_m              BIGINT   the number of respondents in the smallest group
--   gen_s              BIGINT   the sum of the frequencies over all groups
--   groups             BIGINT   the number of groups
--   suppressed_tuples  BIGINT   the rows in groups below k
--   suppressed_share   DOUBLE   the share of these rows
--   acceptable         BOOLEAN  true
--   least              BOOLEAN  true
-- For: the owner
-- Example:
--   from tanon.least_generalization('visits', respondent := 'patient', qi := ['sex'],
--       ts := 'admitted',
--       granularities := ['day', 'week', 'month', 'quarter', 'year'], k := 5)

use measured = walked()

select
    {judged_columns},
    true as least
from {least}
order by tanon_place asc nulls last
