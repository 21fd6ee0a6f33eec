-- What each offered granularity would cost, and which is the least that keeps every k together.
--
-- gen_m is the smallest number of respondents who share a value of the quasi-identifiers with time
-- in this granularity, gen_s the sum of these numbers. A granularity is acceptable if the rows in
-- groups below k are at most max_suppression of all rows; gen_m and gen_s are then those of the
-- groups that stay. Least are, of those acceptable with none acceptable finer, those with the
-- smallest gen_m and, where that is equal, the largest gen_s. One that does not cover every time
-- is not feasible; nothing is left out.
--
-- Cost: one sort of all rows by (qi, respondent, ts), whatever is offered, quickest with nothing
-- finer than five minutes; one hash aggregation of all rows for each granularity that parts days,
-- and one for all the others together, by the days that none of them parts, whose groups are then
-- summed up for each. The finest, which has the most groups, costs the most. A calendar whose
-- granules begin off the quarters of an hour costs a count of distinct respondents of its own. All
-- of it spills: 30 million rows and eight granularities pass with memory_limit = '1GB'.
--
-- Arguments:
--   uses offer
-- Result:
--   granularity        VARCHAR  as offered, in the same order
--   feasible           BOOLEAN  whether its granules cover every time
--   reason             VARCHAR  if not: the first time without a granule
--   gen_m              BIGINT   the smallest frequency
--   gen_s              BIGINT   the sum of the frequencies
--   groups             BIGINT   distinct values of the quasi-identifiers
--   suppressed_tuples  BIGINT   rows in groups below k
--   suppressed_share   DOUBLE   their share
--   acceptable         BOOLEAN  whether it makes the table k-anonymous
--   least              BOOLEAN  whether it does so at the smallest cost, gen_c of the paper
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
