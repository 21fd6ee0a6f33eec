-- How many of the population are like each group of the choice.
-- Yields: wide_met
-- Reads: choice, common_tick, wide_granules, wide_moments, wide_paths, wide_timed
-- Takes: respondent, qi, ts, hierarchies, levels, population

step wide_in_choice
    select
        {for q in tanon._list(qi) joined by ''}
        {if list_contains(tanon._recoded(qi, hierarchies, levels), q)}
        {tanon._dictionary(q)}.tanon_general
        {else}tanon._value_text(tanon_s.{q:name}){end} as {q:name},
        {end}
        {if ts is null}1{else}tanon_granule{end} as tanon_granule, tanon_s.{respondent} as tanon_uid
    from {if ts is null}{population}{else}{wide_timed}{end} as tanon_s
    {for q in tanon._recoded(qi, hierarchies, levels) joined by ''}
    join (
        select tanon_value, tanon_general
        from {wide_paths} as tanon_p join {choice} as tanon_c
            on tanon_p.tanon_level = tanon_c.{q:name}
        where tanon_attribute = {q}
    ) as {tanon._dictionary(q)}
        on tanon._value_text(tanon_s.{q:name})
            is not distinct from {tanon._dictionary(q)}.tanon_value
    {end}
    {if ts is not null}
    join {common_tick} on true
    join {wide_moments} as tanon_m
        on tanon._us_since_year_1(tanon_s.tanon_t) // tanon_us = tanon_tick_number
    join {wide_granules} using (tanon_number)
    join {choice} using (tanon_place)
    {end}
end

step wide_met materialized
    select {qi}, tanon_granule, count(*) as tanon_wide
    from (select distinct {qi}, tanon_granule, tanon_uid from {wide_in_choice})
    group by {qi}, tanon_granule
end
