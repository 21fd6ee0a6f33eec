-- How many are unique in the population, estimated from a sample of it.
--
-- A sample unique, alone in a group of the source, may have many like them outside it. Each row is
-- an estimate of how many are alone in the population, of the quasi-identifiers with time if given:
--
--   pitman   the model of Hoshino (2001), parameters by maximum likelihood; good for small sampling
--            fractions and groups of very different sizes; far too many where groups are alike
--   zayatz   Zayatz (1991): groups of the population have sizes like those of the sample; good for
--            large fractions, ten times too many for small ones
--   snb      the shifted negative binomial of Chen and Keller-McNulty (1998), fitted to those alone
--            and to pairs, all groups after Haas and Stokes (1998); needs fractions above 0.1
--   dankar   the rule of Dankar et al. (2012): pitman for a fraction of at most 0.1, and zayatz
--            where it has no answer; else the smaller of zayatz and snb
--   smallest, largest  of the estimates of the three models: how far these are apart. It is no
--            interval: the truth may lie outside
--   individual  Benedetti and Franconi (1998): the mean over sample uniques of the individual risk
--            of tanon.frequency_set, whose help says when it is too low or too high
--
-- All of them take the source for a simple random sample, weights aside; of one that was drawn by
-- strata or in households they say little. In mixtures of common and rare groups all of them can be
-- far too low: where 55,000 people were in groups of 110 and 5,000 were alone, the rule found less
-- than a tenth of these from samples of 1, 5 and 10 %. NULL is an estimate that its model cannot
-- give, and Dankar's rule goes on without it. Who has rows in several groups counts once in each,
-- which the models take for several people: give one row each, or read the figures as of groups.
--
-- Cost: that of tanon.frequency_set; then what decides is how many sizes there are.
--
-- Arguments:
--   source             relation                      the sample
--   respondent         column not null as respondent  whom a row is about: the respondent
--   qi                 columns as quasi-identifier   the quasi-identifiers
--   uses sample
--   uses time
-- Checks:
--   respondent         not tanon._share_a_name(respondent, qi)  a column that is not among qi
--   sampling_fraction  concat(weight, population_size, sampling_fraction) <> ''  given, or else
--       population_size or weight
-- Result:
--   method              VARCHAR  whose estimate it is
--   population_uniques  DOUBLE   people who are alone in their group in the population
--   share               DOUBLE   their share of the population
--   expected_here       DOUBLE   sample uniques who are unique in the population
--   share_of_uniques    DOUBLE   their share of the sample uniques: the chance that one is unique
--   risk                DOUBLE   of individual alone: the mean chance that a link to a sample
--       unique is right
--   sampling_fraction   DOUBLE   what was taken for it
--   taken               BOOLEAN  whether Dankar's rule takes it
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
