-- How much of the population a sample is, by a fraction, a size or weights, and how many groups of
-- each size it has.
-- Yields: drawn_of_population, group_counts, population_is_large_enough
-- Reads: frequencies
-- Takes: source, respondent, sampling_fraction, population_size, weight

step people_drawn materialized
    select count(*) as tanon_people, {if weight is null}null::double{else}sum(tanon_w){end}
        as tanon_weight
    from (
        select {respondent} {if weight is not null}, min({weight}::double) as tanon_w{end}
        from {source}
        group by {respondent}
    )
end

guard weights_are_right on drawn_of_population
    {if weight is null}
    select null::varchar where false
    {else}
    select 'weight must be one number of 1 or more for each respondent, got ' || count(*)
        || ' respondents of whom it is not'
    from (
        select min({weight}::double) as tanon_least, max({weight}::double) as tanon_most
        from {source}
        group by {respondent}
    )
    where not coalesce(tanon_least = tanon_most and tanon_least >= 1
        and isfinite(tanon_least), false)
    having count(*) > 0
    {end}
end

step drawn_of_population materialized
    select
        {if sampling_fraction is not null} {sampling_fraction}::double
        {else}
        tanon_people / {if weight is null}{population_size}{else}tanon_weight{end}
        {end} as tanon_fraction
    from {people_drawn}
    where {checked weights_are_right}
end

guard population_is_large_enough on group_counts
    select 'population_size must be at least the ' || tanon_people || ' respondents of source, got '
        || {if population_size is null}''{else}{population_size}{end}
    from {people_drawn}, {drawn_of_population}
    where tanon_fraction > 1
end

step group_counts
    select
        list(tanon_f order by tanon_f asc nulls last) as tanon_sizes,
        list(tanon_n order by tanon_f asc nulls last) as tanon_groups,
        sum(tanon_f * tanon_n) as tanon_drawn,
        coalesce(sum(tanon_n) filter (tanon_f = 1), 0) as tanon_alone
    from (
        select frequency::double as tanon_f, count(*)::double as tanon_n
        from {frequencies}
        group by frequency
    )
    where {checked population_is_large_enough}
end
