-- The largest k for which a table is k-anonymous.
--
-- gen_m is that k: the smallest number of distinct respondents who share a value of the
-- quasi-identifiers (NULL for an empty table, which is k-anonymous for every k). gen_s sums these
-- numbers over all values: of two tables with the same gen_m, the one with the larger gen_s tells
-- more values apart.
--
-- Cost: as tanon.frequency_set.
--
-- Arguments:
--   source       relation                      the table, the view or the query in parentheses
--   respondent   column not null as respondent  whom a row is about: the respondent
--   qi           columns as quasi-identifier  the quasi-identifiers
--   uses time
--   k            integer > 1 = NULL            what gen_m must reach, told in holds
-- Checks:
--   respondent   not tanon._share_a_name(respondent, qi)  a column that is not among qi
-- Result:
--   gen_m        BIGINT  the smallest frequency
--   gen_s        BIGINT  the sum of the frequencies
--   groups       BIGINT  distinct values of the quasi-identifiers
--   tuples       BIGINT  rows
--   respondents  BIGINT  distinct respondents
--   holds        BOOLEAN  (with k) whether gen_m is k or more; an empty table is fine
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
