-- How diverse the sensitive values of groups are, by six measures, in one row.
--
-- distinct_l is the fewest values of a group. frequency_l is the rows of a group over those of its
-- most frequent value, entropy_l the number of equally frequent values that are as hard to guess
-- (e to the entropy): both the smallest of all groups. recursive_c is the largest of r1 over rl +
-- ... + rm, of the rows of a group's values from the most frequent down; l is 2, or recursive_l of
-- limits; NULL where a group has fewer than l values, which no c allows. t is the largest distance
-- of a group from the whole table: with distance 'equal' half the sum of what shares differ by,
-- with 'ordered' the share that moves times how far in the order of values, over all of it; with
-- 'hierarchical' the mean of 'equal' on all levels below the root. beta is by how much a value is
-- likelier in a group than in the table, over the latter. Given limits, holds tells whether all
-- groups are within: recursive_c must stay below its limit. An empty table is within all limits.
--
-- Other tools count rows; so does this without respondent. With it pairs of respondent and value
-- are counted: thirty visits of one person for asthma count once. Seven different values of one
-- person count seven times, and figures of a group then say too much. Of five respondents who all
-- have HIV and of whom one has six further diseases, frequency_l is 2.2, and each of the five is
-- known to have HIV. Read figures of respondents with several values as figures of pairs. Counted
-- by rows, figures are those of pycanon, but for recursive_c (it takes the rarest value for r1),
-- NULL (it drops such rows), and entropy_l, of which it gives the whole part.
--
-- Cost: as an aggregation by group and value; distance 'ordered' looks at each value in each group.
--
-- Arguments:
--   uses diversity
--   limits       limits = NULL           what every group must meet, as {'entropy_l': 2, 't': 0.3}
-- Result:
--   groups       BIGINT   how many there are
--   distinct_l   BIGINT   the fewest values of a group
--   frequency_l  DOUBLE   the least l by the most frequent value
--   entropy_l    DOUBLE   the least l by entropy
--   recursive_c  DOUBLE   the largest c, NULL where there is none
--   t            DOUBLE   the largest distance from the whole table
--   beta         DOUBLE   the largest gain
--   holds        BOOLEAN  (with limits) whether all groups are within
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
