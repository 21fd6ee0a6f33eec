-- What each granularity would cost and how they lie to each other, how large groups are, and how
-- exposed respondents are: facts of a report.
-- Yields: facts_of_granularities, facts_of_lattice, facts_of_risk, facts_of_sizes
-- Reads: exposed_people, finer, groups_at_chosen, judged, least, nearest_granularity
-- Takes: k, max_suppression

step facts_of_granularities
    select
        4 as tanon_part, tanon_place, 'granularities' as section, [
            tanon._fact('share below k', tanon_name, tanon_share, {max_suppression},
                tanon_acceptable, tanon_reason, true),
            tanon._fact('smallest group', tanon_name, tanon_m, {k}, null, null, tanon_m >= {k}),
            tanon._fact('groups', tanon_name, tanon_groups, null, null, null, true),
            tanon._fact('rows below k', tanon_name, tanon_suppressed, null, null, null, false),
            tanon._fact('chosen', tanon_name, null, null,
                tanon_name in (select tanon_name from {nearest_granularity}), null, true)
        ] as facts
    from (
        select
            * replace (
                case when tanon_reason is null then tanon_share end as tanon_share,
                case when tanon_reason is null then tanon_groups end as tanon_groups,
                case when tanon_reason is null then tanon_suppressed end as tanon_suppressed
            ),
            case when tanon_reason is null then tanon_gen_m end as tanon_m
        from {judged}
    )
end

step facts_of_lattice
    select
        5 as tanon_part, row_number() over (order by tanon_below, tanon_above) as tanon_place,
        'lattice' as section,
        [tanon._fact('finer than', tanon_below, null, null, null, tanon_above, true)] as facts
    from {finer} as f
    where not exists (
        from {finer} as a join {finer} as b on a.tanon_above = b.tanon_below
        where a.tanon_below = f.tanon_below and b.tanon_above = f.tanon_above
    )
end

step facts_of_sizes
    select
        6 as tanon_part, tanon_class as tanon_place, 'group sizes' as section, [
            tanon._fact('groups', tanon._size_class_text(tanon_class, {k}), tanon_groups, null,
                tanon_class >= {k}, null, tanon_class >= {k}),
            tanon._fact('rows', tanon._size_class_text(tanon_class, {k}), tanon_rows, null,
                tanon_class >= {k}, null, tanon_class >= {k})
        ] as facts
    from (
        select
            tanon._size_class(tanon_f, {k}) as tanon_class, count(*) as tanon_groups,
            sum(tanon_n) as tanon_rows
        from {groups_at_chosen}
        group by tanon_class
    )
end

-- Sums over sizes in order, so that they do not depend on threads.
step risk_of_granularities
    select
        tanon_name, sum(tanon_n) as tanon_people, sum(tanon_n) filter (tanon_after is not null) as
            tanon_left, sum(tanon_n) filter (tanon_before < 2) as tanon_alone,
        sum(tanon_n) filter (tanon_before < {k}) as tanon_below_k,
        1 / min(tanon_before) as tanon_worst, 1 / min(tanon_after) as tanon_worst_after,
        list_sum(list(tanon_n / tanon_before order by tanon_before, tanon_n)) as tanon_mean,
        list_sum(list(tanon_n / tanon_after order by tanon_after, tanon_n)
            filter (tanon_after is not null)) as tanon_mean_after
    from {exposed_people}
    group by tanon_name
end

step facts_of_risk
    select
        7 as tanon_part, tanon_place, 'risk' as section, [
            tanon._fact('alone before', tanon_name, coalesce(tanon_alone, 0) / tanon_people, null,
                null, null, true),
            tanon._fact('below k before', tanon_name, coalesce(tanon_below_k, 0) / tanon_people,
                null, null, null, true),
            tanon._fact('mean risk before', tanon_name, tanon_mean / tanon_people, null, null, null,
                true),
            tanon._fact('largest risk before', tanon_name, tanon_worst, null, null, null,
                tanon_worst <= 1 / {k}),
            tanon._fact('mean risk after', tanon_name, tanon_mean_after / tanon_left, null, null,
                null, true),
            tanon._fact('largest risk after', tanon_name, tanon_worst_after, 1 / {k},
                coalesce(tanon_worst_after <= 1 / {k}, true), null, true),
            tanon._fact('respondents without a row', tanon_name,
                1 - coalesce(tanon_left, 0) / tanon_people, null, null, null, true)
        ] as facts
    from {risk_of_granularities} join {judged} using (tanon_name)
end
