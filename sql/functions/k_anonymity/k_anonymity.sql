-- Returns the largest k for which a table is k-anonymous.
--
-- Use tanon.k_anonymity_violations to see the groups below a given k.
--
-- The column gen_m is this k: the number of distinct respondents in the smallest group. For an
-- empty table gen_m is NULL, and the table is k-anonymous for every k. gen_s is the sum of the
-- numbers of respondents over all groups. If two tables have the same gen_m, the one with the
-- larger gen_s is more detailed.
--
-- Cost: the cost of tanon.frequency_set.
--
-- Arguments:
--   source       relation                      the table, the view or the query in parentheses
--   respondent   column not null as respondent  the respondent of the row
--   qi           columns as quasi-identifier  the quasi-identifiers
--   uses time
--   k            integer > 1 = NULL            the required gen_m; adds the column holds
-- Checks:
--   respondent   not tanon._share_a_name(respondent, qi)  a column that is not among qi
-- Result:
--   gen_m        BIGINT  the number of distinct respondents in the smallest group
--   gen_s        BIGINT  the sum of the frequencies over all groups
--   groups       BIGINT  the number of groups
--   tuples       BIGINT  the number of rows
--   respondents  BIGINT  the number of distinct respondents
--   holds        BOOLEAN  (with k) whether gen_m is at least k; true for an empty table
-- For: the owner
-- Holds: holds, gen_m >= k
-- Example:
--   from tanon.k_anonymity('visits', respondent := 'patient', qi := ['sex'], ts := 'admitted',
--       granularity := 'quarter')

let granularities = granularity


step sums_of_frequencies
    select
        min(frequency) as tanon_m, coalesce(sum(frequency), 0)::bigint as tanon_s,
        count(*) as tanon_groups, coalesce(sum(tuples), 0)::bigint as tanon_tuples
    from {frequencies}
end

step people_there
    select count(*) as tanon_people from (select distinct {respondent} from {source})
end

select
    tanon_m as gen_m, tanon_s as gen_s, tanon_groups as groups, tanon_tuples as tuples,
    tanon_people as respondents
    {if k is not null}, coalesce(tanon_m >= {k}, true) as holds{end}
from {sums_of_frequencies}, {people_there}
