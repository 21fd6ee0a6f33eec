-- Returns the groups whose sensitive values violate limits.
--
-- No rows means that all groups are within the limits. The measures are the measures of
-- tanon.diversity_metrics, for each group.
--
-- Cost: the cost of tanon.diversity_metrics.
--
-- Arguments:
--   uses diversity
--   limits       limits = NULL           limits for every group, such as {'entropy_l': 2, 't': 0.3}
-- Checks:
--   limits       limits is not null  given
-- Result:
--   {groups}     as in source  the group
--   records      BIGINT        the number of rows, or of pairs of respondent and value
--   distinct_l   BIGINT        the number of different values
--   frequency_l  DOUBLE        the rows divided by the rows of the most frequent value
--   entropy_l    DOUBLE        e to the entropy of the values
--   recursive_c  DOUBLE        recursive_c; NULL if the group has fewer than l values
--   t            DOUBLE        the distance from the whole table
--   beta         DOUBLE        the largest gain of a value
-- For: the owner
-- Holds: no rows
-- Example:
--   from tanon.limit_violations('visits', groups := ['sex', 'zip'], sensitive := 'diagnosis',
--       limits := {'entropy_l': 3, 't': 0.3})
--   order by all

select
    {groups}, tanon_of::bigint as records, tanon_distinct as distinct_l,
    tanon_frequency_l as frequency_l, round(tanon_entropy_l, 9) as entropy_l,
    tanon_recursive_c as recursive_c, round(tanon_t, 9) as t, round(tanon_beta, 9) as beta
from {measured_groups}
where not tanon_holds
