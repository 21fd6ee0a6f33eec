-- Returns group sizes and suppression for each offered granularity, and marks the least one.
--
-- Use this function to compare granularities of time. For levels of other attributes use
-- tanon.minimal_generalizations. tanon.publish_events makes the release.
--
-- gen_m is the number of respondents in the smallest group, and gen_s is the sum of these numbers
-- over all groups. A granularity is acceptable if groups below k have at most max_suppression of
-- the rows. gen_m and gen_s then count only the groups of at least k.
--
-- The column least marks a granularity if it is acceptable and no finer granularity is acceptable.
-- Among several such granularities it marks the one with the smallest gen_m. If these are equal, it
-- marks the one with the largest gen_s. A granularity that does not cover every time is not
-- feasible. The function suppresses no row.
--
-- Cost: one sort of all rows, and one aggregation of all rows for each granularity that divides a
-- day. Granularities of whole days share one aggregation. The finest granularity costs the most.
-- DuckDB spills to disk what does not fit in memory.
--
-- Arguments:
--   uses offer
-- Result:
--   granularity        VARCHAR  the granularity, in the order of the argument
--   feasible           BOOLEAN  whether the granules cover every time
--   reason             VARCHAR  the first time without a granule; NULL if the granularity is
--       feasible
--   gen_m              BIGINT   the number of respondents in the smallest group
--   gen_s              BIGINT   the sum of the frequencies over all groups
--   groups             BIGINT   the number of groups
--   suppressed_tuples  BIGINT   the rows in groups below k
--   suppressed_share   DOUBLE   the share of these rows
--   acceptable         BOOLEAN  whether the granularity makes the table k-anonymous
--   least              BOOLEAN  whether the granularity is the least one, gen_c of the paper
-- For: the owner
-- Example:
--   from tanon.granularity_metrics('visits', respondent := 'patient', qi := ['sex'],
--       ts := 'admitted',
--       granularities := ['day', 'week', 'month', 'quarter', 'year'], k := 5)

use measured = all_measured(sizes = sizes_offered)

select
    {judged_columns},
    tanon_name in (select tanon_name from {least}) as least
from {judged}
order by tanon_place asc nulls last
