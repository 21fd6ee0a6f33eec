-- Whether what is released is within the limits, and so is, taken together, what limits leave out
-- of it: somebody who is known to be in a group of k or more, and is not there, is in one that is
-- outside. Both are counted from the rows.
-- Yields: left_out_is_within_limits, limits_hold, limits_released
-- Reads: group_figures, group_limits, groups_below_k, release, rows_in_choice, sensitive_values,
--   source_shares
-- Takes: respondent, qi, k, limits

step rows_with_secrets not materialized
    from {release} where not tanon_is_rest
end

use limits_of_release = group_limits(rows = rows_with_secrets)

step limits_released materialized when limits is not null
    {limits_of_release}
end

guard limits_hold on release
    {if limits is null}
    select '' where false
    {else}
    select 'limits must hold in the release, got ' || count(*)
        || ' groups outside: nothing was published'
    from {limits_released}
    where not tanon_holds
    having count(*) > 0
    {end}
end

step people_missed not materialized when limits is not null
    select distinct tanon_secret as tanon_sensitive, {tanon_r.respondent} as tanon_whose
    from {rows_in_choice} as tanon_r join {groups_below_k} as tanon_b
        on {for q in tanon._list(qi) joined by ' and '}
            tanon_r.{q:name} is not distinct from tanon_b.{q:name}
        {end} and tanon_r.tanon_granule = tanon_b.tanon_granule
    where tanon_frequency >= {k} and not tanon_holds
end

step values_missed when limits is not null
    select tanon_sensitive, count(*) as tanon_n from {people_missed} group by tanon_sensitive
end

step counts_missed when limits is not null
    select 1 as tanon_group, tanon_value, tanon_n
    from {values_missed} as tanon_s join {sensitive_values} as tanon_v
        on tanon_s.tanon_sensitive is not distinct from tanon_v.tanon_sensitive
end

use figures_missed = group_figures(counts = counts_missed, shares = source_shares)

-- One row if they are outside.
piece told_by_absence
    select tanon_group
    from (
        {figures_missed}
    )
    where not ({tanon._limits_text(limits)})
end

guard left_out_is_within_limits on release
    {if limits is null}
    select '' where false
    {else}
    select 'limits must hold for what they leave out of the release as well, taken together: '
        || 'nothing was published'
    from (
        {told_by_absence}
    )
    {end}
end
