-- What a k-anonymous release has chosen, holds and loses, in one row.
-- Yields: summary_of_release
-- Reads: choice, few_are_left_out, k_holds, kept_is_fine, kept_together_is_fine,
--   left_out_is_within_limits, limits_hold, limits_released, number_released, one_is_acceptable,
--   population_is_met, presence_holds, presence_released, promised_limits, promised_presence,
--   released_measures, sensitive_is_limited, uid_is_there_once
-- Takes: hierarchies, limits, choose_by, presence, qi, ts, sensitive

-- What was asked of the groups of a release beside k, and what the worst of them reaches.

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

piece summary_of_release
select
    {if ts is not null}tanon_c.tanon_name{else}null::varchar{end} as granularity,
    map {
        {for q in tanon._list(qi) joined by ', '}
        {q}: {if tanon._is_searched(ts, hierarchies, choose_by, limits, presence)}
        tanon_c.{q:name}{else}0{end}
        {end}
    }::map (varchar, integer) as levels,
    tanon_kept as records, tanon_left_out as suppressed,
    tanon_m.tanon_cells as cells, (select tanon_people from {number_released}) as respondents,
    tanon_m.tanon_groups as groups, tanon_m.tanon_m as gen_m, tanon_m.tanon_s as gen_s,
    tanon_m.tanon_discernibility::bigint as discernibility,
    {if tanon._is_searched(ts, hierarchies, choose_by, limits, presence)}tanon_bits
    {else}null::double{end}
        as entropy
    {if limits is not null or presence is not null}
    , (select tanon_criteria from {criteria}) as criteria
    {end}
from {released_measures} as tanon_m, {choice} as tanon_c
where {checked k_holds} and {checked limits_hold} and {checked left_out_is_within_limits}
    and {checked presence_holds} and {checked population_is_met} and {checked few_are_left_out}
    and {checked uid_is_there_once}
    and {checked one_is_acceptable} and {checked kept_is_fine} and {checked kept_together_is_fine}
    and {checked sensitive_is_limited}
end
