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
--   uid          column not null as respondent  whom a row is about: the respondent
--   qi           columns as quasi-identifier  the quasi-identifiers
{% set promised = "k" %}
{% include "arguments/time.sql" %}
--   uid          not tanon._share_a_name(uid, qi)  a column that is not among qi
-- Result:
--   gen_m        BIGINT  the smallest frequency
--   gen_s        BIGINT  the sum of the frequencies
--   groups       BIGINT  distinct values of the quasi-identifiers
--   tuples       BIGINT  rows
--   respondents  BIGINT  distinct respondents
--   holds        BOOLEAN  (with k) whether gen_m is k or more; an empty table is fine
-- For: the owner
-- Holds: holds, gen_m >= k
-- Counts: people
-- Shards:
--   sums_of_frequencies  by qi   whole groups in each shard
--   people_there         by uid  whole respondents
-- Shards by uid:
--   frequencies          left by uid           whole respondents in each shard
--   sums_of_frequencies  by qi of frequencies  their counts added up
--   people_there         by uid                whole respondents
-- Example:
--   from tanon.k_anonymity('visits', uid := 'patient', qi := ['sex'], ts := 'admitted',
--       granularity := 'quarter')

let granularities = granularity

-- Merges: min sums_of_frequencies.tanon_m, sum sums_of_frequencies.tanon_s,
--   sum sums_of_frequencies.tanon_groups, sum sums_of_frequencies.tanon_tuples,
--   sum people_there.tanon_people

step sums_of_frequencies
    select
        min(frequency) as tanon_m, coalesce(sum(frequency), 0)::bigint as tanon_s,
        count(*) as tanon_groups, coalesce(sum(tuples), 0)::bigint as tanon_tuples
    from {frequencies}
end

step people_there
    select count(*) as tanon_people from (select distinct {uid} from {source})
end

select
    tanon_m as gen_m, tanon_s as gen_s, tanon_groups as groups, tanon_tuples as tuples,
    tanon_people as respondents
    {if k is not null}, coalesce(tanon_m >= {k}, true) as holds{end}
from {sums_of_frequencies}, {people_there}
