-- What was asked of the groups of a release beside k, and what the worst of them reaches.
-- Yields: criteria
-- Reads: limits_released, presence_released
-- Takes: sensitive, limits, presence

step told_of_criteria
    select null::varchar as property, null::varchar as promise, null::varchar as found,
        null::boolean as holds
    where false
    {if limits is not null}
    {for n in tanon._asked_of(limits) joined by ''}
    union all
    select {n} || ' of ' || {sensitive:text}
            {if n = 'recursive_c'} || ', l = ' || {tanon._recursive_l(limits)}{end},
        {tanon._promised_words(limits, n)}, tanon._figure({tanon._worst_text(n)}),
        coalesce(bool_and(true {tanon._limit_holds(limits, n)}), true)
    from {limits_released}
    {end}
    {end}
    {if presence is not null}
    {for n in tanon._asked_of(presence) joined by ''}
    union all
    select {n} || ' in the population', {tanon._promised_words(presence, n)},
        tanon._figure({tanon._worst_text(n)}),
        coalesce(bool_and({tanon._presence_text(presence, 'tanon_f', 'tanon_wide')}), true)
    from {presence_released}
    {end}
    {end}
end

step criteria
    select list({
        'property': property, 'promise': promise, 'found': found, 'holds': holds
    } order by property) as tanon_criteria
    from {told_of_criteria}
end
