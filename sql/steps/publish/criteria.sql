-- What was asked of the groups of a release beside k, and what the worst of them reaches.
-- Yields: criteria
-- Reads: limits_released, presence_released, promised_limits
-- Takes: sensitive, limits, presence

use limits_told = promised_limits(groups = limits_released)

step told_of_criteria
    select null::varchar as property, null::varchar as promise, null::varchar as found,
        null::boolean as holds
    where false
    {if limits is not null}
    union all
    {limits_told}
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
