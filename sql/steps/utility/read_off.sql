-- Which granularity and which levels a release was made with, read off itself where they are not
-- given: those at which the source has all of its labels and values, of each as many rows at least.
-- Where that is so of several which do not mean the same, one must be given.
-- Yields: granularity_read_off, levels_read_off
-- Reads: found, hierarchy_of_qi, leaves, release_texts, tick, timed
-- Takes: qi, keep, granularities, hierarchies, levels

step labels_of_source
    {for g in tanon._built(granularities) joined by ' union all '}
    select {g} as tanon_name, tanon._label(tanon_t, {g}) as tanon_label, count(*) as tanon_n
    from {timed}
    group by tanon_label
    {end}
    {if len(tanon._of_calendar(granularities)) > 0}
    {if len(tanon._built(granularities)) > 0} union all {end}
    select tanon_g.tanon_name, tanon_g.tanon_label, count(*) as tanon_n
    from {timed} as tanon_s, {tick}, {found} as tanon_g
    where tanon_g.tanon_tick = tanon._us_since_year_1(tanon_s.tanon_t) // tanon_width
    group by tanon_g.tanon_name, tanon_g.tanon_label
    {end}
end

step labels_released materialized
    select tanon_label, sum(tanon_n) as tanon_rows
    from {release_texts}
    where tanon_label is distinct from '*'
    group by tanon_label
end

step granularities_that_fit materialized
    select tanon_name
    from (select unnest({granularities}) as tanon_name) left join (
        select tanon_name, count(*) as tanon_fits
        from {labels_released} join {labels_of_source} using (tanon_label)
        where tanon_n >= tanon_rows
        group by tanon_name
    ) using (tanon_name)
    where coalesce(tanon_fits, 0) = (select count(*) from {labels_released})
end

guard granularity_is_plain on granularity_read_off
    select 'granularity must be that of the release, got ' || case when count(*) = 0
        then 'none whose labels and rows it has'
        else string_agg(
            tanon_name, ' or ' order by tanon_name asc nulls last
        ) || ', of which it may be any' end
    from {granularities_that_fit}
    where (select count(*) > 0 from {labels_released})
    having count(*) <> 1 and (select count(*) > 0 from {labels_released})
end

step granularity_read_off materialized
    {if len(tanon._list(granularities)) = 1}
    select unnest({granularities}) as tanon_name
    {else}
    select min(tanon_name) as tanon_name
    from {granularities_that_fit}
    where {checked granularity_is_plain}
    {end}
end

step words_released materialized
    {for q in tanon._list(qi) joined by ' union all '}
    select {q} as tanon_attribute, {q:name} as tanon_general, sum(tanon_n) as tanon_rows
    from {release_texts}
    group by {q:name}
    {end}
end

step hierarchy_read_off materialized
    {hierarchy_of_qi}
end

step words_of_levels materialized
    select
        tanon_attribute, tanon_level, tanon_general, sum(tanon_n) as tanon_n,
        list(tanon_leaf order by tanon_leaf asc nulls last) as tanon_leaves
    from (
        select tanon_attribute, 0 as tanon_level, tanon_text as tanon_general, tanon_n, tanon_leaf
        from {leaves}
        where tanon._is_named(tanon._folded(tanon_attribute), {qi:text})
        union all
        select l.tanon_attribute, a.tanon_level, s.tanon_general, tanon_n, tanon_leaf
        from {leaves} as l join (
            select distinct tanon_attribute, tanon_level from {hierarchy_read_off}
        ) as a on l.tanon_attribute = a.tanon_attribute
        left join {hierarchy_read_off} as s
            on l.tanon_attribute = s.tanon_attribute and a.tanon_level = s.tanon_level
            and l.tanon_text is not distinct from s.tanon_value
    )
    group by tanon_attribute, tanon_level, tanon_general
end

-- Of each level at which all words fit, what they stand for there. Where * is a word of such a
-- level it is that word, else a value that is hidden, which may be any.
step levels_that_fit materialized
    select
        tanon_attribute, tanon_level, list(coalesce(
            tanon_leaves::varchar, tanon_general
        ) order by tanon_general asc nulls first) as tanon_meaning
    from (
        select r.*, a.tanon_level, tanon_leaves,
            coalesce(tanon_n >= tanon_rows, r.tanon_general = '*', false) as tanon_fits
        from {words_released} as r join (
            select distinct tanon_attribute, tanon_level from {words_of_levels}
        ) as a on r.tanon_attribute = a.tanon_attribute
        left join {words_of_levels} as w
            on r.tanon_attribute = w.tanon_attribute and a.tanon_level = w.tanon_level
            and r.tanon_general is not distinct from w.tanon_general
    )
    group by tanon_attribute, tanon_level
    having bool_and(tanon_fits)
    qualify bool_and(tanon_leaves is not null)
        = max(bool_and(tanon_leaves is not null)) over (partition by tanon_attribute)
end

guard levels_are_plain on levels_read_off
    select 'levels must be given, got a release whose '
        || min(tanon_attribute || ' may be on level ' || tanon_any)
    from (
        select
            tanon_attribute,
            string_agg(
                tanon_level::varchar, ' or ' order by tanon_level asc nulls last
            ) as tanon_any
        from {levels_that_fit}
        group by tanon_attribute
        having count(distinct tanon_meaning) > 1
    )
    having count(*) > 0
end

step levels_read_off
    {for q in tanon._list(qi) joined by ' union all '}
    select {q} as tanon_attribute,
        {if hierarchies is null or levels is not null}
        coalesce(nullif({tanon._level_literal(q, levels)}, '')::integer, 0) as tanon_level
        {else}
        coalesce(min(tanon_level), 0) as tanon_level
    from {levels_that_fit}
    where tanon_attribute = {q} and {checked levels_are_plain}
        {end}
    {end}
    {for c in tanon._list(keep) joined by ''}
    union all
    select {c}, 0
    {end}
end
