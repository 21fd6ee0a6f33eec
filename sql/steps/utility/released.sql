-- What a release says, as numbers of generalized values and of granules, and which values of the
-- source each generalized one is. The function says what `release_texts` are.
-- Yields: released_cells, members_listed
-- Reads: leaves, levels_wanted, release_texts, spans
-- Takes: qi, ts, keep, hierarchies

-- For each attribute what a release may say of it, and which values of the source each is: at the
-- level that is wanted, and * for a value that is suppressed. The function says what
-- `levels_wanted` are.

step steps_given
    {if hierarchies is null}
    select '' as tanon_attribute, 0 as tanon_level, '' as tanon_text, '' as tanon_general
    where false
    {else}
    select distinct
        tanon_attribute, tanon_level, tanon._value_text(tanon_h.value) as tanon_text,
        tanon._value_text(tanon_h.generalized) as tanon_general
    from {hierarchies} as tanon_h join {levels_wanted}
        on tanon._folded(tanon_h.attribute) = tanon._folded(tanon_attribute)
            and tanon_h.level = tanon_level
    where tanon_level > 0
    {end}
end

step leaf_generals materialized
    select
        tanon_l.tanon_attribute, tanon_leaf, count(tanon_g.tanon_attribute) as tanon_given,
        any_value(tanon_w.tanon_level) as tanon_level, any_value(tanon_l.tanon_text) as tanon_value,
        case when any_value(tanon_w.tanon_level) = 0 then any_value(tanon_l.tanon_text)
            else min(tanon_general) end as tanon_general
    from {leaves} as tanon_l join {levels_wanted} as tanon_w using (tanon_attribute)
    left join {steps_given} as tanon_g
        on tanon_l.tanon_attribute = tanon_g.tanon_attribute
        and tanon_l.tanon_text is not distinct from tanon_g.tanon_text
    group by tanon_l.tanon_attribute, tanon_leaf
end

guard levels_are_given on generals
    select 'levels must be those at which hierarchies generalize every value of source once, got '
        || count(*) || ' values that are not, such as '
        || min(tanon_attribute || ' ' || coalesce(tanon_value, 'NULL') || ' on level '
            || tanon_level)
    from {leaf_generals}
    where tanon_level > 0 and tanon_given <> 1 and (tanon_value is not null or tanon_given > 1)
    having count(*) > 0
end

step generals materialized
    select
        tanon_attribute, tanon_general, list(
            tanon_leaf order by tanon_leaf asc nulls last
        ) as tanon_leaves,
        row_number() over (partition by tanon_attribute order by tanon_general asc nulls first) - 1
            as tanon_number
    from (
        select tanon_attribute, tanon_general, tanon_leaf
        from {leaf_generals}
        where {checked levels_are_given}
        union all
        select tanon_attribute, '*', tanon_leaf
        from {leaf_generals}
        where tanon_attribute not in (
            select tanon_attribute from {leaf_generals} where tanon_general = '*'
        )
    )
    group by tanon_attribute, tanon_general
end

step release_coded materialized
    select
        tanon_r.tanon_n, tanon_span, [
            {for q in flatten([tanon._list(qi), tanon._list(keep)]) joined by ', '}
            {tanon._dictionary(q)}.tanon_number
            {end}
        ] as tanon_numbers
    from {release_texts} as tanon_r left join {spans} as tanon_s
        on tanon_r.tanon_label is not distinct from tanon_s.tanon_label
    {for q in flatten([tanon._list(qi), tanon._list(keep)]) joined by ''}
    left join (
        select tanon_general, tanon_number from {generals} where tanon_attribute = {q}
    ) as {tanon._dictionary(q)}
        on tanon_r.{q:name} is not distinct from {tanon._dictionary(q)}.tanon_general
    {end}
end

guard release_is_of_source on released_cells
    select 'release must hold values of source as they are at levels'
        {if ts is not null}|| ' and labels of granularity'{end}
        || ', got ' || sum(tanon_n)::bigint || ' rows with others'
        || '; tanon.publish_events(result := ''summary'') says what a release was made with'
    from {release_coded}
    where tanon_span is null or list_count(tanon_numbers) < len(tanon_numbers)
    having count(*) > 0
end

step released_cells
    select list(list_concat(
        {if ts is not null}[tanon_span],{end} tanon_numbers, [tanon_n, 0]
    )::double[]) as tanon_released
    from {release_coded}
    where {checked release_is_of_source}
end

step members_listed
    select list(tanon_members order by tanon_place asc nulls last) as tanon_members
    from (
        select
            list_position(list_concat({qi:text}, tanon._list({keep:text})), tanon_attribute)
                as tanon_place,
            list(tanon_leaves order by tanon_number asc nulls last) as tanon_members
        from {generals}
        group by tanon_attribute
        {if ts is not null}union all select 0, null{end}
    )
end
