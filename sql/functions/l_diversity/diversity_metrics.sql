-- Returns how diverse the sensitive values of groups are, by six measures in one row.
--
-- tanon.limit_violations returns the groups that violate limits. For l-diversity only, use
-- tanon.l_diversity_violations. The measures are figures of the worst group:
--
--   'distinct_l'   the number of different values.
--   'frequency_l'  the rows of a group divided by the rows of its most frequent value.
--   'entropy_l'    e to the entropy of the values: the number of equally frequent values that are
--                  as hard to guess.
--   'recursive_c'  r1 / (rl + ... + rm), where ri is the count of the i-th most frequent value. l
--                  is 2, or recursive_l of limits. NULL if a group has fewer than l values.
--   't'            the distance between the values of a group and the values of the table.
--   'beta'         the gain of a value: (share in the group - share in the table) / share in the
--                  table.
--
-- For t, distance 'equal' is half the sum of the differences of shares. 'ordered' weights a
-- difference by the distance in the order of values. 'hierarchical' is the mean of 'equal' over the
-- levels below the root. With limits, holds is true if all groups are within the limits.
-- recursive_c must be below its limit. An empty table is within all limits.
--
-- Without respondent the function counts rows. With respondent it counts pairs of respondent and
-- value, so thirty visits of one respondent for asthma count once. Figures are then figures of
-- pairs. A respondent with seven values counts seven times, and figures can look too safe. The
-- figures of rows equal pycanon, except for recursive_c, NULL, and the fraction of entropy_l.
--
-- Cost: one aggregation by group and value. Distance 'ordered' examines each value in each group.
--
-- Arguments:
--   uses diversity
--   limits       limits = NULL           limits for every group, such as {'entropy_l': 2, 't': 0.3}
-- Result:
--   groups       BIGINT   the number of groups
--   distinct_l   BIGINT   the fewest values of a group
--   frequency_l  DOUBLE   the smallest frequency_l of a group
--   entropy_l    DOUBLE   the smallest entropy_l of a group
--   recursive_c  DOUBLE   the largest recursive_c of a group, or NULL
--   t            DOUBLE   the largest distance of a group from the whole table
--   beta         DOUBLE   the largest gain of a value
--   holds        BOOLEAN  (with limits) whether all groups are within the limits
-- For: the owner
-- Holds: holds
-- Example:
--   from tanon.diversity_metrics('visits', groups := ['sex'], sensitive := 'diagnosis',
--       respondent := 'patient')


step figures_met
    select
        count(*) as tanon_groups, min(tanon_distinct) as tanon_distinct,
        min(tanon_frequency_l) as tanon_frequency_l, min(tanon_entropy_l) as tanon_entropy_l,
        count(*) - count(tanon_recursive_c) as tanon_short,
        max(tanon_recursive_c) as tanon_recursive_c, max(tanon_t) as tanon_t,
        max(tanon_beta) as tanon_beta, count(*) filter (where not tanon_holds) as tanon_outside
    from {measured_groups}
end

select
    tanon_groups as groups, tanon_distinct as distinct_l, tanon_frequency_l as frequency_l,
    round(tanon_entropy_l, 9) as entropy_l,
    case when tanon_short = 0 then tanon_recursive_c end as recursive_c,
    round(tanon_t, 9) as t, round(tanon_beta, 9) as beta
    {if limits is not null}, tanon_outside = 0 as holds{end}
from {figures_met}
