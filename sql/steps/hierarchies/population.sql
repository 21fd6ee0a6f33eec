-- The population as numbers, and what each of its values becomes on each level: the number that the
-- source has for it, 0 where the source has nothing like it. Respondents with a single row add up.
-- Yields: groups_in_population, repeaters, wide_granules, wide_ladders, wide_moments, wide_paths
-- Reads: codes, common_tick, granules, groups_of_rows, hierarchy, levels_given, paths,
--   placed_moments, regulars, times, wide_timed
-- Takes: source, respondent, qi, ts, granularities, limits, population, presence

-- All that the population says of each attribute.
step wide_values materialized
    {for q in tanon._list(qi) joined by ' union all '}
    select
        {q} as tanon_attribute, tanon_value,
        (row_number() over (order by tanon_value asc nulls first))::integer as tanon_number
    from (select distinct tanon._value_text({q:name}) as tanon_value from {population})
    {end}
end

step wide_paths materialized
    select
        v.tanon_attribute, l.tanon_level, tanon_number,
        any_value(v.tanon_value) as tanon_value, count(h.tanon_level) as tanon_given,
        case when l.tanon_level = 0 then any_value(v.tanon_value)
            else min(h.tanon_general) end as tanon_general
    from {wide_values} as v join {levels_given} as l using (tanon_attribute)
    left join {hierarchy} as h
        on h.tanon_attribute = v.tanon_attribute and h.tanon_level = l.tanon_level
        and h.tanon_value is not distinct from v.tanon_value
    group by v.tanon_attribute, l.tanon_level, tanon_number
end

guard population_is_generalized on wide_codes
    select 'hierarchies must generalize every value of population on every level once, got '
        || count(*) || ' that are not, such as ' || min(tanon_attribute || ' ' || tanon_value
        || ' on level ' || tanon_level || ', ' || tanon_given || ' times')
    from {wide_paths}
    where tanon_level > 0 and tanon_given <> 1 and tanon_value is not null
    having count(*) > 0
end

guard population_holds_source on wide_codes
    select 'population must hold the respondents of source, got ' || count(*)
        || ' groups with fewer respondents there'
    from (
        select {qi}, count(*) as tanon_f
        from (select {qi} from {source} group by {qi}, {respondent})
        group by {qi}
    ) as tanon_h left join (
        select {qi}, count(*) as tanon_wide
        from (select {qi} from {population} group by {qi}, {respondent})
        group by {qi}
    ) as tanon_p
        on {for q in tanon._list(qi) joined by ' and '}
            tanon_h.{q:name} is not distinct from tanon_p.{q:name}
        {end}
    where tanon_f > coalesce(tanon_wide, 0)
    having count(*) > 0
end

step wide_moments materialized
    {if ts is null}
    select 1 as tanon_tick_number, 1 as tanon_number, null::timestamp as tanon_t
    {else}
    select *, (row_number() over (
        order by tanon_tick_number asc nulls last
    ))::integer as tanon_number
    from (
        select
            tanon._us_since_year_1(tanon_t) // tanon_us as tanon_tick_number,
            min(tanon_t) as tanon_t
        from {wide_timed}, {common_tick}
        group by tanon_tick_number
    )
    {end}
end

step wide_granules materialized
    {if ts is null}
    select 1 as tanon_number, 1 as tanon_place, 1 as tanon_granule
    {else}
    {for g in tanon._built(granularities) joined by ' union all '}
    select tanon_number, tanon_place, {tanon._index_text(g)} as tanon_granule
    from {wide_moments}, {times}
    where tanon_name = {g}
    {end}
    {if len(tanon._of_calendar(granularities)) > 0}
    {if len(tanon._built(granularities)) > 0} union all {end}
    select
        tanon_number, tanon_place,
        case when tanon_t < tanon_g.tanon_ends then tanon_g.tanon_granule end as tanon_granule
    from (
        from {wide_moments}, {times}
        where tanon_name in (select tanon_name from {granules})
    ) as tanon_m asof left join {granules} as tanon_g
        on tanon_m.tanon_name = tanon_g.tanon_name and tanon_t >= tanon_starts
    {end}
    {end}
end

-- A level of an attribute, or a granularity, with the number that the source has there.
step wide_codes
    select w.tanon_attribute, w.tanon_level, w.tanon_number, coalesce(tanon_code, 0) as tanon_code
    from {wide_paths} as w left join (
        select tanon_attribute, tanon_level, tanon_general, min(tanon_code) as tanon_code
        from {paths} join {codes} using (tanon_attribute, tanon_level, tanon_number)
        group by tanon_attribute, tanon_level, tanon_general
    ) as c
        on w.tanon_attribute = c.tanon_attribute and w.tanon_level = c.tanon_level
        and w.tanon_general is not distinct from c.tanon_general
    where {checked population_is_generalized} and {checked population_holds_source}
end

step wide_times
    {if ts is null}
    select 1 as tanon_place, [1] as tanon_codes
    {else}
    select
        tanon_place, list(
            coalesce(tanon_code, 0) order by w.tanon_number asc nulls last
        ) as tanon_codes
    from {wide_granules} as w left join (
        select distinct tanon_place, tanon_granule, tanon_code
        from {placed_moments} as m join {codes} as c on m.tanon_number = c.tanon_number
            and m.tanon_place = c.tanon_level and c.tanon_attribute = {ts:text}
    ) using (tanon_place, tanon_granule)
    group by tanon_place
    {end}
end

-- For each attribute its levels, then the granularities.
step wide_ladders materialized
    select [
        {for q in tanon._list(qi) joined by ', '}
        (
            select list(tanon_codes order by tanon_level asc nulls last)
            from (
                select tanon_level, list(
                    tanon_code order by tanon_number asc nulls last
                ) as tanon_codes
                from {wide_codes}
                where tanon_attribute = {q}
                group by tanon_level
            )
        )
        {end}
        , (select list(tanon_codes order by tanon_place asc nulls last) from {wide_times})
    ] as tanon_wide
end

step wide_regulars materialized
    select tanon_uid, (row_number() over ())::integer as tanon_who
    from (
        select {respondent} as tanon_uid from {population} group by {respondent} having count(*) > 1
    )
end

step wide_rows materialized
    select
        {for q in tanon._list(qi) joined by ''}
        {tanon._dictionary(q)}.tanon_number as {q:name},
        {end}
        {if ts is null}1{else}tanon_m.tanon_number{end} as tanon_time, tanon_who,
        count(*) as tanon_n
    from {if ts is null}{population}{else}{wide_timed}{end} as tanon_s
    {for q in tanon._list(qi) joined by ''}
    join (
        select tanon_number, tanon_value from {wide_values} where tanon_attribute = {q}
    ) as {tanon._dictionary(q)}
        on tanon._value_text(tanon_s.{q:name})
            is not distinct from {tanon._dictionary(q)}.tanon_value
    {end}
    {if ts is not null}
    join {common_tick} on true
    join {wide_moments} as tanon_m
        on tanon._us_since_year_1(tanon_s.tanon_t) // tanon_us = tanon_tick_number
    {end}
    left join {wide_regulars} on tanon_s.{respondent} = tanon_uid
    group by all
end

-- The groups of the population at some nodes.
piece wide_groups(aims)
            select
                * exclude (tanon_who, tanon_n),
                sum(case when tanon_who is null then tanon_n else 1 end)::bigint as tanon_wide
            from (
                select
                    tanon_node,
                    {for q in tanon._list(qi) joined by ''}
                    tanon_a.tanon_wide[{tanon._position_text(q, qi)}][tanon_b.{q:name}] as {q:name},
                    {end}
                    tanon_a.tanon_wide[-1][tanon_b.tanon_time] as tanon_time, tanon_who,
                    sum(tanon_n)::bigint as tanon_n
                from {wide_rows} as tanon_b, {aims} as tanon_a
                group by all
            )
            group by all
end

use groups_of_population = wide_groups(aims = aims)

use groups_of_source = groups_of_rows(rows = rows, aims = aims)

-- A group with how many of the population are like it; who is there where the source has nobody is
-- a group of none. A share of the population never falls below what it is in all of its parts.
piece groups_in_population(rows, aims)
            select
                {for q in tanon._list(qi) joined by ''}g.{q:name}, {end}
                g.tanon_time, coalesce(g.tanon_node, w.tanon_node) as tanon_node,
                coalesce(tanon_n, 1) as tanon_n, coalesce(tanon_f, 0) as tanon_f,
                coalesce(tanon_holds, false)
                    and {tanon._presence_text(presence, 'tanon_f', 'tanon_wide')} as tanon_holds,
                coalesce(tanon_is_varied, true)
                    and {tanon._presence_text(presence, null, 'tanon_wide')} as tanon_is_varied
                {if limits is not null}, tanon_tells{end}
            from (
                {groups_of_source}
            ) as g {if tanon._number_by_name(presence, 'delta_low') > 0}full{else}left{end} join (
                {groups_of_population}
            ) as w
                on g.tanon_node = w.tanon_node and g.tanon_time = w.tanon_time
                {for q in tanon._list(qi) joined by ''}and g.{q:name} = w.{q:name} {end}
end

-- Whoever is in several groups, of the source or of the population: not all adds up.
step repeaters
    select tanon_who from {regulars}
    {if presence is not null}union all select tanon_who from {wide_regulars}{end}
end
