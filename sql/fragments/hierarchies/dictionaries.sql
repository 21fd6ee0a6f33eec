{# For each attribute its values with their code on every level; level 0 is the value itself, and
   NULL stays a value of its own unless the hierarchy says otherwise. The hierarchies are checked:
   levels without holes, one generalized value each, for every value there is, levels nested. #}
tanon_hierarchy as materialized (
    select distinct
        tanon_h.attribute as tanon_attribute, tanon_h.level::integer as tanon_level,
        tanon_h.value::varchar as tanon_value, tanon_h.generalized::varchar as tanon_general
    from {hierarchies} as tanon_h
    where list_contains({qi:text}, tanon_h.attribute)
),
tanon_raws as materialized (
    {for q in tanon._list(qi) joined by ' union '}
    select distinct {q} as tanon_attribute, {q:name}::varchar as tanon_value
    from {source}
    {end}
),
tanon_levels as materialized (
    select distinct tanon_attribute, tanon_level from tanon_hierarchy
    union
    select unnest({qi:text}), 0
),
tanon_paths as materialized (
    select
        tanon_attribute, tanon_value, tanon_level,
        count(tanon_h.tanon_level) over (
            partition by tanon_attribute, tanon_value, tanon_level
        ) as tanon_given,
        case when tanon_level = 0 then tanon_value else tanon_general end as tanon_general
    from tanon_raws join tanon_levels using (tanon_attribute)
    left join tanon_hierarchy as tanon_h using (tanon_attribute, tanon_value, tanon_level)
    {# That join leaves out NULL: what the hierarchy says of it is found apart. #}
    where tanon_value is not null or tanon_level = 0
    union all
    select tanon_attribute, null, tanon_level, 1, max(tanon_general)
    from tanon_raws join tanon_levels using (tanon_attribute)
    left join (from tanon_hierarchy where tanon_value is null)
        using (tanon_attribute, tanon_level)
    where tanon_raws.tanon_value is null and tanon_level > 0
    group by all
),
tanon_torn as (
    select tanon_attribute, a.tanon_level, min(a.tanon_general) as tanon_general
    from tanon_paths as a join tanon_paths as b using (tanon_attribute, tanon_value)
    where b.tanon_level = a.tanon_level + 1
    group by tanon_attribute, a.tanon_level, a.tanon_general
    having count(distinct coalesce('=' || b.tanon_general, '')) > 1
),
tanon_hierarchy_errors as (
    select error({function} || ': hierarchies must have levels 1, 2, 3 and so on, got for '
        || tanon_attribute || ' ' || list(tanon_level order by tanon_level)::varchar)::boolean
        as tanon_fine
    from tanon_levels
    group by tanon_attribute
    having max(tanon_level) + 1 <> count(*) or min(tanon_level) < 0 or count(tanon_level) < count(*)
    union all
    select error({function} || ': hierarchies must generalize every value on every level once, got '
        || count(*) || ' that are not, such as ' || min(tanon_attribute || ' ' || tanon_value
        || ' on level ' || tanon_level || ', ' || tanon_given || ' times'))::boolean
    from tanon_paths
    where tanon_level > 0 and tanon_value is not null and tanon_given <> 1
    having count(*) > 0
    union all
    select error({function} || ': hierarchies must be nested, got ' || min(tanon_attribute || ' '
        || coalesce(tanon_general, 'NULL') || ' of level ' || tanon_level)
        || ' in more than one value of the next level')::boolean
    from tanon_torn
    having count(*) > 0
),
tanon_codes as materialized (
    select
        tanon_attribute, tanon_value, list(tanon_code order by tanon_level) as tanon_codes
    from (
        select
            tanon_attribute, tanon_value, tanon_level,
            (dense_rank() over (
                partition by tanon_attribute, tanon_level order by tanon_general nulls first
            ))::integer as tanon_code
        from tanon_paths
        where (select coalesce(bool_and(tanon_fine), true) from tanon_hierarchy_errors)
            and (select fine from tanon_hierarchies_is_fine)
    )
    group by tanon_attribute, tanon_value
),
tanon_top as materialized (
    select
        {for q in tanon._list(qi) joined by ', '}
        max(tanon_level) filter (where tanon_attribute = {q}) + 1 as {q:name}
        {end}
    from tanon_levels
),
{for q in tanon._list(qi) joined by ''}
{q:dictionary} as materialized (
    select tanon_raw, tanon_codes
    from (select distinct {q:name} as tanon_raw from {source}) join tanon_codes
        on tanon_attribute = {q} and tanon_value is not distinct from tanon_raw::varchar
),
{end}
