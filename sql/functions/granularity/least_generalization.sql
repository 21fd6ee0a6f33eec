-- The granularities that make a table k-anonymous at the smallest cost.
--
-- The rows of tanon.granularity_metrics that are least, ties included; no row if none of the
-- offered granularities is acceptable. One that lies above an acceptable one is never computed.
-- Least means the smallest gen_m first: a month at the border of the table, in which few people
-- are, makes the month less than a week. tanon.publish_events takes the granularity that loses
-- the fewest bits, and this one with choose_by := 'least'.
-- It is an error if no granularity covers every time.
--
-- Cost: a look at the rows with the rarest quasi-identifiers rules out what it can; then, unless
-- nothing is left, one sort by (qi, respondent, ts) and one hash aggregation for each granularity
-- that has to be looked at. All of it spills.
--
-- Arguments:
--   uses offer
-- Result:
--   granularity        VARCHAR  one of the offered
--   feasible           BOOLEAN  true
--   reason             VARCHAR  NULL
--   gen_m              BIGINT   the smallest frequency
--   gen_s              BIGINT   the sum of the frequencies
--   groups             BIGINT   distinct values of the quasi-identifiers
--   suppressed_tuples  BIGINT   rows in groups below k
--   suppressed_share   DOUBLE   their share
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
