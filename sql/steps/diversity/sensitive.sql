-- The sensitive values in their order, numbered; what each is on every level of its hierarchy.
-- Yields: shares_of_secrets, sensitive_values, sensitive_levels
-- Takes: source, sensitive, hierarchies

piece numbered_secrets(secrets)
    select
        tanon_sensitive, tanon._value_text(tanon_sensitive) as tanon_text,
        (row_number() over (order by tanon_sensitive asc nulls first))::integer as tanon_value
    from {secrets}
end

-- Of values that were counted and numbered: over all shards, or in what a release was made of.
piece shares_of_secrets(secrets, values)
    select tanon_value, tanon_n / sum(tanon_n) over () as tanon_p
    from {secrets} as tanon_s join {values} as tanon_v
        on tanon_s.tanon_sensitive is not distinct from tanon_v.tanon_sensitive
end

step secrets not materialized
    select {sensitive} as tanon_sensitive from {source} group by {sensitive}
end

use secrets_numbered = numbered_secrets(secrets = secrets)

step sensitive_values materialized
    {secrets_numbered}
end

step sensitive_hierarchy
    select
        level::integer as tanon_level, tanon._value_text(value) as tanon_text,
        tanon._value_text(generalized) as tanon_general
    from {hierarchies}
    where tanon._is_named(tanon._folded(attribute), tanon._list({sensitive:text}))
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
    select 'hierarchies must have levels of ' || array_to_string(
        tanon._list({sensitive:text}), ', ') || ' for distance ''hierarchical'', got none'
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
