-- The sensitive values in their order, numbered; what each is on every level of its hierarchy.
-- Yields: sensitive_values, sensitive_levels
-- Takes: source, sensitive, hierarchies

step sensitive_values materialized
    select
        tanon_sensitive, tanon_sensitive::varchar as tanon_text,
        (row_number() over (order by tanon_sensitive nulls first))::integer as tanon_value
    from (select {sensitive} as tanon_sensitive from {source} group by {sensitive})
end

step sensitive_hierarchy
    select
        level::integer as tanon_level, value::varchar as tanon_text,
        generalized::varchar as tanon_general
    from {hierarchies}
    where tanon._folded(attribute) = tanon._folded({sensitive:text})
end

step sensitive_paths materialized
    select
        tanon_value, 0 as tanon_level, coalesce('=' || tanon_text, '') as tanon_general,
        tanon_text, 1 as tanon_given
    from {sensitive_values}
    union all
    select
        tanon_value, tanon_l.tanon_level, coalesce('=' || min(tanon_h.tanon_general), ''),
        any_value(tanon_v.tanon_text), count(tanon_h.tanon_level)
    from {sensitive_values} as tanon_v
    cross join (select distinct tanon_level from {sensitive_hierarchy}) as tanon_l
    left join {sensitive_hierarchy} as tanon_h
        on tanon_v.tanon_text is not distinct from tanon_h.tanon_text
        and tanon_l.tanon_level = tanon_h.tanon_level
    group by tanon_value, tanon_l.tanon_level
end

guard sensitive_is_generalized on sensitive_levels
    select 'hierarchies must generalize every sensitive value on every level once, got '
        || count(*) || ' that are not, such as ' || min(
            coalesce(tanon_text, 'NULL') || ' on level ' || tanon_level
        )
    from {sensitive_paths}
    where tanon_given <> 1 and (tanon_text is not null or tanon_given > 1)
    having count(*) > 0
    union all
    select 'hierarchies must have levels of ' || {sensitive:text} || ' for distance '
        || '''hierarchical'', got none'
    where (select max(tanon_level) from {sensitive_paths}) = 0
end

-- The root is the lowest level with a single value, or lies above all of them.
step sensitive_levels materialized
    select tanon_value, tanon_level, tanon_general, tanon_height
    from {sensitive_paths}, (
        select coalesce(min(tanon_level) filter (where tanon_values = 1), max(tanon_level) + 1)
            as tanon_height
        from (
            select tanon_level, count(distinct tanon_general) as tanon_values
            from {sensitive_paths}
            group by tanon_level
        )
    )
    where tanon_level < tanon_height and {checked sensitive_is_generalized}
end
