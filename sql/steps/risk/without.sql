-- The mean risk of respondents without one of the attributes.
-- Yields: risk_without
-- Reads: source_members
-- Takes: qi, ts

step members_without
    {for o in tanon._roles(qi, ts) joined by ' union all '}
    select distinct
        tanon_name, {o} as tanon_attribute, tanon_uid,
        {if ts is not null and o = ts}0{else}tanon_granule{end} as tanon_granule,
        {for q in tanon._list(qi) joined by ', '}
        {if q = o}null{else}{q:name}{end} as {q:name}
        {end}
    from {source_members}
    {end}
end

step exposed_without
    select tanon_name, tanon_attribute, tanon_uid, min(tanon_f) as tanon_f
    from (
        select tanon_name, tanon_attribute, unnest(list(tanon_uid)) as tanon_uid,
            count(*) as tanon_f
        from {members_without}
        group by tanon_name, tanon_attribute, tanon_granule, {qi}
    )
    group by tanon_name, tanon_attribute, tanon_uid
end

step people_without
    select tanon_name, tanon_attribute, tanon_f, count(*) as tanon_n
    from {exposed_without}
    group by all
end

step risk_without
    select tanon_name, tanon_attribute,
        list_sum(list(
            tanon_n / tanon_f order by tanon_f asc nulls last
        )) / sum(tanon_n) as tanon_mean_without
    from {people_without}
    group by all
end
