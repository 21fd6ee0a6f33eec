-- For each attribute its values, numbered, with how many rows have them, and what each is on every
-- level: level 0 is the value itself, and NULL stays NULL unless the hierarchy says otherwise. The
-- hierarchies are checked: levels without holes, one generalized value each, levels nested.
-- Yields: dictionaries, fixed_levels_exist, hierarchy, hierarchy_of_qi, levels_are_nested,
--   levels_given, paths
-- Takes: source, qi, hierarchies, levels, sensitive

block dictionaries
    {for q in tanon._list(qi) joined by ', '}
    {tanon._dictionary(q)} as materialized (
        select *, (row_number() over (
            order by tanon_value asc nulls first, tanon._order_key(tanon_raw) asc nulls last
        ))::integer as tanon_number
        from (
            select
                {q:name} as tanon_raw, tanon._value_text({q:name}) as tanon_value,
                count(*) as tanon_n
            from {source}
            group by {q:name}
        )
    )
    {end}
end

step attribute_values materialized
    {dictionaries}
    select tanon_attribute, tanon_value, tanon_number, sum(tanon_n)::bigint as tanon_n
    from (
        {for q in tanon._list(qi) joined by ' union all '}
        select {q} as tanon_attribute, tanon_value, tanon_number, tanon_n
        from {tanon._dictionary(q)}
        {end}
    )
    group by all
end

-- Of the quasi-identifiers: attribute, level, value, generalized.
piece hierarchy_of_qi
    {if hierarchies is null}
    select
        '' as tanon_attribute, 0 as tanon_level, '' as tanon_value, '' as tanon_general
    where false
    {else}
    select distinct
        tanon_attribute, tanon_h.level::integer as tanon_level,
        tanon._value_text(tanon_h.value) as tanon_value,
        tanon._value_text(tanon_h.generalized) as tanon_general
    from {hierarchies} as tanon_h join (select unnest({qi:text}) as tanon_attribute)
        on tanon._folded(tanon_h.attribute) = tanon._folded(tanon_attribute)
    {end}
end

step hierarchy materialized
    {hierarchy_of_qi}
end

step levels_given materialized
    select distinct tanon_attribute, tanon_level
    from {hierarchy}
    where {checked attributes_are_known}
    union
    select unnest({qi:text}), 0
end

step paths materialized
    select
        tanon_v.tanon_attribute, tanon_l.tanon_level, tanon_number,
        any_value(tanon_v.tanon_value) as tanon_value, any_value(tanon_n) as tanon_n,
        count(tanon_h.tanon_level) as tanon_given,
        case when tanon_l.tanon_level = 0 then any_value(tanon_v.tanon_value)
            else min(tanon_general) end as tanon_general
    from {attribute_values} as tanon_v
    join {levels_given} as tanon_l on tanon_v.tanon_attribute = tanon_l.tanon_attribute
    left join {hierarchy} as tanon_h
        on tanon_h.tanon_attribute = tanon_v.tanon_attribute
        and tanon_h.tanon_level = tanon_l.tanon_level
        and tanon_h.tanon_value is not distinct from tanon_v.tanon_value
    group by tanon_v.tanon_attribute, tanon_l.tanon_level, tanon_number
end

guard attributes_are_known on levels_given
    {if hierarchies is null}
    select null::varchar where false
    {else}
    select 'hierarchies must be of columns of qi, got '
        || coalesce('''' || tanon_name || '''' || tanon._hint(tanon_name, tanon_known), 'NULL')
    from (
        select attribute::varchar as tanon_name
        from {hierarchies}
        group by attribute
    ), (select {qi:text} {if sensitive is not null}|| [{sensitive:text}]{end} as tanon_known)
    where tanon_name is null or not tanon._has_names(tanon_known, [tanon_name])
    order by tanon_name asc nulls last
    limit 1
    {end}
end

guard levels_are_whole on codes
    select 'hierarchies must have levels 1, 2, 3 and so on, got for ' || tanon_attribute || ' '
        || list(tanon_level order by tanon_level asc nulls last)::varchar
    from {levels_given}
    group by tanon_attribute
    having max(tanon_level) + 1 <> count(*) or min(tanon_level) < 0 or count(tanon_level) < count(*)
end

guard values_are_generalized on codes
    select 'hierarchies must generalize every value on every level once, got ' || count(*)
        || ' that are not, such as ' || min(tanon_attribute || ' '
        || coalesce(tanon_value, 'NULL') || ' on level ' || tanon_level || ', ' || tanon_given
        || ' times')
    from {paths}
    where {checked levels_are_whole}
        and tanon_level > 0 and tanon_given <> 1 and (tanon_value is not null or tanon_given > 1)
    having count(*) > 0
end

guard levels_are_nested on codes
    select 'hierarchies must be nested, got ' || min(tanon_attribute || ' '
        || coalesce(tanon_general, 'NULL') || ' of level ' || tanon_level)
        || ' in more than one value of the next level'
    from (
        select tanon_attribute, a.tanon_level, a.tanon_general
        from {paths} as a join {paths} as b using (tanon_attribute, tanon_number)
        where {checked values_are_generalized} and b.tanon_level = a.tanon_level + 1
        group by tanon_attribute, a.tanon_level, a.tanon_general
        having count(distinct coalesce('=' || b.tanon_general, '')) > 1
    )
    having count(*) > 0
end

guard fixed_levels_exist on codes
    select 'levels must be those of hierarchies, got ' || tanon_fixed || ' for ' || tanon_attribute
        || ', which has levels 0 to ' || max(tanon_level)
    from {levels_given} join (
        {for q in tanon._list(qi) joined by ' union all '}
        select {q} as tanon_attribute, nullif({tanon._level_literal(q, levels)}, '') as tanon_fixed
        {end}
    ) using (tanon_attribute)
    where {checked levels_are_nested} and tanon_fixed is not null
    group by tanon_attribute, tanon_fixed
    having max(tanon_level) < tanon_fixed::integer
end
