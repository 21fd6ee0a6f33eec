-- What is left out, what columns without protection tell, what attacks find and what is warned of:
-- facts of a report.
-- Yields: facts_of_attacks, facts_of_columns_told, facts_of_left_out, facts_of_warnings
-- Reads: attacked, coded, feasibility, found, groups_at_chosen, rows_at_nearest, tick,
--   told_by_column, values_at_levels, warned
-- Takes: qi, ts, keep, granularities, k, limits, presence

-- The groups that a release leaves out, and the finest granularity that would have kept all rows of
-- each.

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

step facts_of_left_out
    select
        8 as tanon_part, row_number() over (order by tanon_kept_by asc nulls last) as tanon_place,
        'left out' as section, [
            tanon._fact('groups kept by', tanon_kept_by, count(*), null, null, null, false),
            tanon._fact('rows kept by', tanon_kept_by, sum(tanon_n), null, null, null, false)
        ] as facts
    from {left_out}
    group by tanon_kept_by
    union all
    select
        8, 1000000 + row_number() over (
            order by tanon_f asc nulls last, tanon_granule asc nulls last, {n.qi:ordered}
        ), 'left out',
        [tanon._fact('group', concat_ws(
            ', ' {for q in tanon._list(qi) joined by ''}
            , {q} || ' = ' || coalesce(tanon._value_text(n.{q:name}), 'NULL')
            {end}
            {if ts is not null}, {ts:text} || ' = ' || tanon_label{end}
        ), tanon_f, tanon_n, null, tanon_kept_by, false)]
    from {left_out} join {values_at_levels} as n using (tanon_plain)
end

step facts_of_columns_told
    select
        9 as tanon_part, row_number() over (order by tanon_column asc nulls last) as tanon_place,
        'what if' as section, [
            tanon._fact('singled out', tanon_column, tanon_alone / nullif(tanon_people, 0), null,
                null, tanon_role, true),
            tanon._fact('one value', tanon_column, tanon_alike / nullif(tanon_people, 0), null,
                null, tanon_role, true),
            tanon._fact('guessed', tanon_column, tanon_most / nullif(tanon_rows, 0),
                tanon_usual / nullif(tanon_rows, 0), null, tanon_role, true)
        ] as facts
    from (
        select *, case when tanon._is_named(tanon_folded, {keep:text})
            then 'kept' else 'stays home' end as tanon_role
        from {told_by_column}
    )
end

step facts_of_attacks
    select
        11 as tanon_part,
        row_number() over (
            order by tanon_place asc nulls last, tanon_affects asc nulls last
        ) as tanon_place,
        'attacks' as section,
        tanon._attack_facts(tanon_criterion, tanon_affects, tanon_rate, tanon_span, null,
            tanon_attack, tanon_baseline, tanon_control, tanon_targets) as facts
    from (
        select
            *, tanon_hits / nullif(tanon_targets, 0) as tanon_rate,
            tanon._interval(tanon_rate, tanon_targets) as tanon_span
        from {attacked}
    )
end

step facts_of_warnings
    select
        12 as tanon_part,
        row_number() over (
            order by tanon_place asc nulls last, affects asc nulls last
        ) as tanon_place,
        'warnings' as section,
        [tanon._fact(warning, affects, share, null, null, advice, true)] as facts
    from {warned}
end
