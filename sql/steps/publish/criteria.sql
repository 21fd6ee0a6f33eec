-- What was asked of the groups of a release beside k, and what the worst of them reaches.
-- Yields: criteria
-- Reads: limits_released, presence_released, promised_limits, promised_presence
-- Takes: sensitive, limits, presence

use limits_told = promised_limits(groups = limits_released)
use presence_told = promised_presence(groups = presence_released)

step told_of_criteria
    select null::varchar as property, null::varchar as promise, null::varchar as found,
        null::boolean as holds
    where false
    {if limits is not null}
    union all
    {limits_told}
    {end}
    {if presence is not null}
    union all
    {presence_told}
    {end}
end

step criteria
    select list({
        'property': property, 'promise': promise, 'found': found, 'holds': holds
    } order by property asc nulls last) as tanon_criteria
    from {told_of_criteria}
end
