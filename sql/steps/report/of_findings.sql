-- What is left out, what columns without protection tell, what attacks find and what is warned of:
-- facts of a report.
-- Yields: facts_of_attacks, facts_of_columns_told, facts_of_left_out, facts_of_warnings
-- Reads: attacked, left_out, told_by_column, values_at_levels, warned
-- Takes: qi, ts, keep

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
