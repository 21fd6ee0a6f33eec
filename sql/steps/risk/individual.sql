-- The individual risk of Benedetti and Franconi: of frequency people in the sample who are alike,
-- the mean of one over the number of people in the population who are like them. That number is
-- taken for the draws, of probability p each, that it takes to find frequency people; p is the
-- frequency over the sum of their weights. The mean is p times the integral from 0 to 1 of
-- u ** (frequency - 1) / (p + (1 - p) * u). It is the sum of a series of positive terms where 200
-- of them are enough. Else a recursion over frequency begins with p / (1 - p) * ln(1 / p).
-- Yields: individual_risks
-- Reads: drawn_of_population, frequencies, placed, population_is_large_enough
-- Takes: source, respondent, qi, ts, granularity, weight

step weights_of_groups
    select
        {qi} {if granularity is not null}, tanon_granule{else}{,ts}{end},
        list_sum(list(tanon_w order by tanon_w asc nulls last)) as tanon_people
    from (
        select
            {qi} {if granularity is not null}, tanon_granule{else}{,ts}{end},
            min({weight}::double) as tanon_w
        from {if granularity is null}{source}{else}{placed}{end}
        group by {qi}, {respondent} {if granularity is not null}, tanon_granule{else}{,ts}{end}
    )
    group by {qi} {if granularity is not null}, tanon_granule{else}{,ts}{end}
end

step groups_at_large materialized
    {if weight is null}
    select *, frequency / tanon_fraction as tanon_people
    from {frequencies}, {drawn_of_population}
    where {checked population_is_large_enough}
    {else}
    select tanon_f.*, tanon_people, tanon_fraction
    from {frequencies} as tanon_f join {weights_of_groups} as tanon_w
        on {for q in tanon._list(qi) joined by ' and '}
            tanon_f.{q:name} is not distinct from tanon_w.{q:name}
        {end}
        {if granularity is not null}and tanon_f.tanon_granule = tanon_w.tanon_granule
        {else}
        {if ts is not null}and {tanon_f.ts} is not distinct from {tanon_w.ts}{end}
        {end}
    , {drawn_of_population}
    {end}
end

step risks_of_sizes
    select
        frequency, tanon_people,
        case
            when tanon_p >= 1 then 1 / frequency
            when tanon_p >= 0.2 or frequency >= 10 then tanon_p / frequency * list_reduce(
                range(200, 0, -1)::double[],
                lambda tanon_sum, n: 1 + tanon_sum * n * (1 - tanon_p) / (frequency + n),
                1::double
            )
            else list_reduce(
                range(1, frequency)::double[],
                lambda tanon_mean, f: tanon_p / (1 - tanon_p) * (1 / f - tanon_mean),
                tanon_p / (1 - tanon_p) * ln(1 / tanon_p)
            ) end as tanon_risk
    from (
        select distinct frequency, tanon_people, frequency / tanon_people as tanon_p
        from {groups_at_large}
    )
end

step individual_risks materialized
    select g.* exclude (tanon_fraction), tanon_risk
    from {groups_at_large} as g join {risks_of_sizes} using (frequency, tanon_people)
end
