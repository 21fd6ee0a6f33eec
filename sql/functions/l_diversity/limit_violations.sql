-- The groups whose sensitive values are not as diverse as limits ask; no rows means that all are.
--
-- The measures are those of tanon.diversity_metrics, told for each group.
--
-- Cost: that of tanon.diversity_metrics.
--
-- Arguments:
--   uses diversity
--   limits       limits = NULL           what every group must meet, as {'entropy_l': 2, 't': 0.3}
-- Checks:
--   limits       limits is not null  given: nothing is violated without
-- Result:
--   {groups}     as in source  the group
--   records      BIGINT        its rows, or respondents for each of their values
--   distinct_l   BIGINT        its values
--   frequency_l  DOUBLE        its l by the most frequent value
--   entropy_l    DOUBLE        its l by entropy
--   recursive_c  DOUBLE        its c, NULL where it has fewer than l values
--   t            DOUBLE        its distance from the whole table
--   beta         DOUBLE        its gain
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
