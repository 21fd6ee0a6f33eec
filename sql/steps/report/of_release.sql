-- What was released, what became of each column, and what was promised: facts of a report.
-- Yields: facts_of_columns, facts_of_promise, facts_of_release
-- Reads: counted_people, groups_at_chosen, judged, nearest_granularity, sizes_offered, span
-- Takes: source, uid, qi, ts, keep, k, max_suppression

step facts_of_release
    select
        1 as tanon_part, 1::bigint as tanon_place, 'release' as section, [
            tanon._fact('granularity', null, null, null, null, tanon_name, true),
            tanon._fact('rows released', null, tanon_kept_rows, null, null, null, true),
            tanon._fact('respondents released', null, tanon_released, null, null, null, true),
            tanon._fact('groups released', null, tanon_kept_groups, null, null, null, true),
            tanon._fact('rows', null, tanon_rows, null, null, null, false),
            tanon._fact('respondents', null, tanon_everybody, null, null, null, false),
            tanon._fact('groups left out', null, tanon_lost_groups, null, null, null, false),
            tanon._fact('rows left out', null, tanon_lost_rows, null, null, null, false),
            tanon._fact('first time', null, null, null, null, tanon_first, false),
            tanon._fact('last time', null, null, null, null, tanon_last, false)
        ] as facts
    from {span} left join {nearest_granularity} on true, {counted_people}, (
        select
            coalesce(sum(tanon_n) filter (tanon_f >= {k}), 0) as tanon_kept_rows,
            coalesce(sum(tanon_n) filter (tanon_f < {k}), 0) as tanon_lost_rows,
            count(*) filter (tanon_f >= {k}) as tanon_kept_groups,
            count(*) filter (tanon_f < {k}) as tanon_lost_groups
        from {groups_at_chosen}
    )
end

step roles_of_columns
    select column_name as tanon_column, column_type as tanon_type, case
        when folded = tanon._folded({uid:text}) then 1
        when tanon._is_named(folded, {qi:text}) then 2
        when folded = tanon._folded({ts:text}) then 3
        when tanon._is_named(folded, {keep:text}) then 4
        else 5 end as tanon_role
    from {source:columns}
end

step facts_of_columns
    select
        2 as tanon_part, row_number() over (order by tanon_role, tanon_column) as tanon_place,
        'columns' as section, [tanon._fact(
            (['respondent', 'quasi-identifier', 'time', 'kept', 'stays home'])[tanon_role],
            tanon_column, null, null, null, case tanon_role
                when 1 then 'counted, never released'
                when 2 then 'released as it is; every group has at least ' || {k} || ' respondents'
                when 3 then 'released as its ' || coalesce(replace(
                    (select tanon_name from {nearest_granularity}), '_', ' '), 'granule')
                when 4 then 'released as it is, not protected'
                else 'not released' end, true)] as facts
    from {roles_of_columns}
end

-- Groups were counted by sorting rows and by hashing them; both must find the same.
guard counts_agree on facts_of_promise
    select 'source must give the same groups however they are counted, got ' || count(*)
        || ' sizes that differ: tell the authors'
    from (
        select tanon_f, tanon_groups, tanon_tuples
        from {sizes_offered} semi join {nearest_granularity} using (tanon_name)
    ) as tanon_a full join (
        select tanon_f, count(*) as tanon_groups, sum(tanon_n) as tanon_tuples
        from {groups_at_chosen}
        group by tanon_f
    ) as tanon_b using (tanon_f)
    where tanon_a.tanon_groups is distinct from tanon_b.tanon_groups
        or tanon_a.tanon_tuples is distinct from tanon_b.tanon_tuples
    having count(*) > 0
end

step facts_of_promise
    select
        3 as tanon_part, 1::bigint as tanon_place, 'promise' as section, [
            tanon._fact('smallest group', null, tanon_least, {k}, coalesce(tanon_least >= {k}, true)
                    and {checked counts_agree},
                'respondents who share quasi-identifiers and time', true),
            tanon._fact('share left out', null, tanon_share, {max_suppression},
                tanon_acceptable, 'rows in groups of fewer than ' || {k}, true)
        ] as facts
    from {judged} join {nearest_granularity} using (tanon_name), (
        select min(tanon_f) filter (tanon_f >= {k}) as tanon_least from {groups_at_chosen}
    )
end
