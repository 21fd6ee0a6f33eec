-- Whether each group that is released is hidden in the population as was asked, counted from the
-- rows; and, where it is asked of every group of the population, whether each of them is released.
-- Yields: population_is_met, presence_holds, presence_released
-- Reads: release, wide_met
-- Takes: respondent, qi, presence

step people_by_group not materialized when presence is not null
    select {qi}, tanon_granule, count(*) as tanon_f
    from (
        select distinct
            {for q in tanon._list(qi) joined by ''}tanon._value_text({q:name}) as {q:name}, {end}
            tanon_granule, {respondent} as tanon_uid
        from {release}
        where not tanon_is_rest
    )
    group by {qi}, tanon_granule
end

guard presence_holds on release
    {if presence is null}
    select '' where false
    {else}
    select 'presence must hold in the release, got ' || count(*)
        || ' groups that population has too few of or that tell who is here: nothing was published'
    from {people_by_group} as tanon_h left join {wide_met} as w
        on {for q in tanon._list(qi) joined by ' and '}
            tanon_h.{q:name} is not distinct from w.{q:name}
        {end} and tanon_h.tanon_granule = w.tanon_granule
    where not ({tanon._presence_text(presence, 'tanon_f', 'tanon_wide')})
    having count(*) > 0
    {end}
end

step groups_released when presence is not null
    select count(*) as tanon_groups from {people_by_group}
end

-- Each group of the release is one of the population where presence_holds.
guard population_is_met on release
    {if presence is null}
    select '' where false
    {else}
    select 'presence must hold in the release, got ' || (tanon_wide_groups - tanon_groups)
        || ' groups of population that nobody in it is of: nothing was published'
    from (select count(*) as tanon_wide_groups from {wide_met}), {groups_released}
    where tanon_wide_groups > tanon_groups
        {if coalesce(tanon._number_by_name(presence, 'delta_low'), 0) = 0}and false{end}
    {end}
end

-- With delta_low a group of the population that nobody here is of is one as well.
step presence_released
    select tanon_f, tanon_wide
    from {people_by_group} as tanon_h
    {if tanon._number_by_name(presence, 'delta_low') > 0}full{else}left{end} join {wide_met} as w
        on {for q in tanon._list(qi) joined by ' and '}
            tanon_h.{q:name} is not distinct from w.{q:name}
        {end} and tanon_h.tanon_granule = w.tanon_granule
end
