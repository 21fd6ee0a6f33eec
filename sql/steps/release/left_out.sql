-- The groups that a release leaves out, and the finest granularity that would have kept all rows of
-- each.
-- Yields: left_out
-- Reads: coded, feasibility, found, groups_at_chosen, rows_at_nearest, tick
-- Takes: ts, granularities, k, limits, presence

step rows_left_out materialized
    select tanon_group, tanon_plain, tanon_t
    from {coded} as tanon_c join {groups_at_chosen} as tanon_g
        on tanon_c.tanon_value = tanon_g.tanon_value
        and tanon_c.tanon_granule = tanon_g.tanon_granule
    where not tanon_is_kept
end

step rows_beside_them materialized
    select tanon_plain, tanon_t, tanon_person
    from {coded}
    where tanon_plain in (select tanon_plain from {rows_left_out})
end

step found_elsewhere materialized
    {for g in tanon._built(granularities) joined by ' union all '}
    select {g} as tanon_name, tanon_group, min(tanon_f) as tanon_f
    from (
        select distinct tanon_group, tanon_plain, {tanon._index_text(g)} as tanon_there
        from {rows_left_out}
    ) join (
        select tanon_plain, {tanon._index_text(g)} as tanon_there,
            count(distinct tanon_person) as tanon_f
        from {rows_beside_them}
        group by tanon_plain, tanon_there
    ) using (tanon_plain, tanon_there)
    group by tanon_group
    {end}
    {if len(tanon._of_calendar(granularities)) > 0}
    {if len(tanon._built(granularities)) > 0} union all {end}
    select tanon_name, tanon_group, min(tanon_f) as tanon_f
    from (
        select distinct tanon_name, tanon_group, tanon_plain, tanon_granule as tanon_there
        from {rows_left_out}, {tick}, {found}
        where tanon_tick = tanon._us_since_year_1(tanon_t) // tanon_width
    ) join (
        select tanon_name, tanon_plain, tanon_granule as tanon_there,
            count(distinct tanon_person) as tanon_f
        from {rows_beside_them}, {tick}, {found}
        where tanon_tick = tanon._us_since_year_1(tanon_t) // tanon_width
        group by tanon_name, tanon_plain, tanon_granule
    ) using (tanon_name, tanon_plain, tanon_there)
    group by tanon_name, tanon_group
    {end}
end

step labels_left_out
    {if ts is null}
    select 1 as tanon_granule, null::varchar as tanon_label
    {else}
    select tanon_granule, any_value(tanon_label) as tanon_label
    from {rows_at_nearest}
    where tanon_granule in (select tanon_granule from {groups_at_chosen} where not tanon_is_kept)
    group by tanon_granule
    {end}
end

step left_out materialized
    select
        tanon_g.*, tanon_plain, tanon_label,
        {if ts is null or limits is not null or presence is not null}
        null::varchar as tanon_kept_by
        {else}tanon_kept_by{end}
    from {groups_at_chosen} as tanon_g join (
        select tanon_group, any_value(tanon_plain) as tanon_plain
        from {rows_left_out}
        group by tanon_group
    ) using (tanon_group) join {labels_left_out} using (tanon_granule)
    {if ts is not null and limits is null and presence is null}
    left join (
        select tanon_group, arg_min(tanon_name, (tanon_length, tanon_name)) as tanon_kept_by
        from {found_elsewhere} join {feasibility} using (tanon_name)
        where tanon_f >= {k} and tanon_reason is null
        group by tanon_group
    ) using (tanon_group)
    {end}
    where not tanon_is_kept
end
