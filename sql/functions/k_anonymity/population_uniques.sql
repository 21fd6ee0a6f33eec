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
--   weights  (with weight) Benedetti and Franconi (1998): a sample unique who stands for w people
--            is unique among them with a probability of 1/w; these add up in expected_here
--
-- All of them take the source for a simple random sample, weights aside; of one that was drawn by
-- strata or in households they say little. NULL is an estimate that its model cannot give, and
-- Dankar's rule goes on without it. Who has rows in several groups counts once in each, which the
-- models take for several people: give one row each, or read the figures as of groups.
--
-- Cost: that of tanon.frequency_set; then what decides is how many sizes there are.
--
-- Arguments:
--   source             relation                      the sample
--   uid                column not null as respondent  whom a row is about: the respondent
--   qi                 columns as quasi-identifier   the quasi-identifiers
--   sampling_fraction  number in (0, 1] = NULL       how much of the population is in source
--   population_size    integer > 0 = NULL            or how many people it has
--   weight             column(number) not null = NULL  or how many people a respondent stands for
{% include "arguments/time.sql" %}
--   uid                not tanon._share_a_name(uid, qi)  a column that is not among qi
--   weight  weight is null or coalesce(population_size, sampling_fraction) is null  left out where
--       sampling_fraction or population_size is given
--   population_size  population_size is null or sampling_fraction is null  left out where
--       sampling_fraction is given
--   sampling_fraction  concat(weight, population_size, sampling_fraction) <> ''  given, or else
--       population_size or weight
-- Result:
--   method              VARCHAR  whose estimate it is
--   population_uniques  DOUBLE   people who are alone in their group in the population
--   share               DOUBLE   their share of the population
--   expected_here       DOUBLE   sample uniques who are unique in the population
--   share_of_uniques    DOUBLE   their share of the sample uniques: the risk of one of them
--   sampling_fraction   DOUBLE   what was taken for it
--   taken               BOOLEAN  whether Dankar's rule takes it
-- For: the owner
-- Shards: not offered: the estimates need the sizes of all groups at once
-- Example:
--   from tanon.population_uniques('visits', uid := 'patient', qi := ['zip', 'age'],
--       sampling_fraction := 0.05)

let granularities = granularity

step found_by_weights
    select coalesce(sum(1 / tanon_w order by tanon_w asc nulls last), 0) as tanon_here
    from (
        {if weight is null}
        select 1 as tanon_w where false
        {else}
        select min({weight}::double) as tanon_w
        from {if granularity is null}{source}{else}{placed}{end}
        group by {qi} {if granularity is null}{,ts}{else}, tanon_granule{end}
        having count(distinct {uid}) = 1
        {end}
    )
end

step estimated_uniques
    select
        unnest(tanon_estimate_uniques(tanon_sizes, tanon_groups, tanon_fraction),
            recursive := true),
        tanon_drawn, tanon_alone, tanon_fraction
    from {group_counts}, {drawn_of_population}
end

select
    method, uniques as population_uniques, uniques * tanon_fraction / nullif(tanon_drawn, 0)
        as share,
    least(uniques * tanon_fraction, tanon_alone) as expected_here,
    least(uniques * tanon_fraction / nullif(tanon_alone, 0), 1) as share_of_uniques,
    tanon_fraction as sampling_fraction, taken
from {estimated_uniques}
{if weight is not null}
union all
select 'weights', null, null, tanon_here, tanon_here / nullif(tanon_alone, 0), tanon_fraction, false
from {found_by_weights}, (select distinct tanon_alone, tanon_fraction from {estimated_uniques})
{end}
