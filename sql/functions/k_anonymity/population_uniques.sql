-- Returns estimates of how many respondents of a sample are unique in the population.
--
-- A respondent who is unique in a group of the sample may share the group with others of the
-- population. Each row of the result is one estimate of the people who are unique in their group:
--
--   'pitman'               Hoshino (2001), with parameters by maximum likelihood. Suits small
--                          sampling fractions and groups of very different sizes. Too high if
--                          groups are similar.
--   'zayatz'               Zayatz (1991). Assumes that group sizes of the population resemble the
--                          sizes of the sample. Suits large fractions. Up to ten times too high for
--                          small fractions.
--   'snb'                  the shifted negative binomial model of Chen and Keller-McNulty (1998).
--                          Needs a fraction above 0.1.
--   'dankar'               the rule of Dankar et al. (2012): pitman for a fraction of at most 0.1,
--                          or zayatz if pitman has no result. For larger fractions the smaller of
--                          zayatz and snb.
--   'smallest', 'largest'  the smallest and the largest estimate of the three models. The truth may
--                          lie outside.
--   'individual'           the mean individual risk of the sample uniques, as in
--                          tanon.frequency_set.
--
-- All models assume a simple random sample, except for weights. They say little about samples by
-- strata or households. If the population mixes very common and rare groups, all estimates can be
-- far too low. An estimate is NULL if the model has no solution. The models count a respondent with
-- rows in several groups once in each group. Reduce such data to one row for each respondent, or
-- read the figures as figures of groups.
--
-- Cost: the cost of tanon.frequency_set, and a cost by the number of different group sizes.
--
-- Arguments:
--   source             relation                      the sample
--   respondent         column not null as respondent  the respondent of the row
--   qi                 columns as quasi-identifier   the quasi-identifiers
--   uses sample
--   uses time
-- Checks:
--   respondent         not tanon._share_a_name(respondent, qi)  a column that is not among qi
--   sampling_fraction  concat(weight, population_size, sampling_fraction) <> ''  given, unless
--       population_size or weight is given
-- Result:
--   method              VARCHAR  the name of the estimate
--   population_uniques  DOUBLE   people who are alone in their group of the population
--   share               DOUBLE   the share of these people in the population
--   expected_here       DOUBLE   sample uniques who are unique in the population
--   share_of_uniques    DOUBLE   the probability that a sample unique is unique in the population
--   risk                DOUBLE   for individual only: the probability that a link to a sample
--       unique is right
--   sampling_fraction   DOUBLE   the sampling fraction that the model used
--   taken               BOOLEAN  whether Dankar's rule uses this estimate
-- For: the owner
-- Example:
--   from tanon.population_uniques('visits', respondent := 'patient', qi := ['zip', 'age'],
--       sampling_fraction := 0.05)

let granularities = granularity

step estimated_uniques
    select
        unnest(tanon._answer(tanon_estimate_uniques(tanon_sizes, tanon_groups, tanon_fraction)),
            recursive := true),
        tanon_drawn, tanon_alone, tanon_fraction
    from {group_counts}, {drawn_of_population}
end

step estimates_and_range
    from {estimated_uniques}
    union all by name
    select
        unnest(['smallest', 'largest']) as method,
        unnest([min(uniques), max(uniques)]) as uniques, false as taken,
        any_value(tanon_drawn) as tanon_drawn, any_value(tanon_alone) as tanon_alone,
        any_value(tanon_fraction) as tanon_fraction
    from {estimated_uniques}
    where method <> 'dankar'
end

select
    method, uniques as population_uniques, uniques * tanon_fraction / nullif(tanon_drawn, 0)
        as share,
    least(uniques * tanon_fraction, tanon_alone) as expected_here,
    least(uniques * tanon_fraction / nullif(tanon_alone, 0), 1) as share_of_uniques,
    null::double as risk, tanon_fraction as sampling_fraction, taken
from {estimates_and_range}
union all
select
    'individual', null, null, null, null,
    list_avg(list(tanon_risk order by tanon_risk asc nulls last) filter (where frequency = 1)),
    any_value(tanon_fraction), false
from {individual_risks}, {drawn_of_population}
