-- What each granularity would cost and how they lie to each other, how large groups are, and how
-- exposed respondents are: facts of a report.
-- Yields: facts_of_granularities, facts_of_lattice, facts_of_risk, facts_of_sizes
-- Reads: all_measured, coded, counted_people, feasibility, finer, found, groups_at_chosen,
--   judged_by, nearest_granularity, sizes_offered, tick
-- Takes: ts, k, max_suppression, limits, presence, granularities, hierarchies, choose_by

-- What each granularity would leave out at the levels that are chosen, groups below k alone.

step sizes_told materialized
    {if tanon._is_searched(ts, hierarchies, choose_by, limits, presence)}
    select tanon_name, tanon_f, count(*) as tanon_groups, sum(tanon_n)::bigint as tanon_tuples
    from (
        {for g in tanon._built(granularities) joined by ' union all '}
        select {g} as tanon_name, count(distinct tanon_person) as tanon_f, count(*) as tanon_n
        from {coded}
        where (select tanon_reason is null from {feasibility} where tanon_name = {g})
        group by tanon_plain, ({tanon._index_text(g)})
        {end}
        {if len(tanon._of_calendar(granularities)) > 0}
        {if len(tanon._built(granularities)) > 0} union all {end}
        select tanon_name, count(distinct tanon_person) as tanon_f, count(*) as tanon_n
        from {coded} as tanon_c, {tick}, {found} as tanon_g join {feasibility} using (tanon_name)
        where tanon_g.tanon_tick = tanon._us_since_year_1(tanon_t) // tanon_width
            and tanon_reason is null
        group by tanon_name, tanon_plain, tanon_g.tanon_granule
        {end}
    )
    group by tanon_name, tanon_f
    {else}
    from {sizes_offered}
    {end}
end

use measured_told = all_measured(sizes = sizes_told)
use judged_told = judged_by(measured = measured_told)

step facts_of_granularities
    select
        4 as tanon_part, tanon_place, 'granularities' as section, [
            tanon._fact('share below k', tanon_name, tanon_share, {max_suppression},
                tanon_acceptable, {if limits is not null or presence is not null}
                coalesce(tanon_reason, 'by k alone'){else}tanon_reason{end}, true),
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
        from {judged_told}
    )
end

step facts_of_lattice
    select
        5 as tanon_part, row_number() over (
            order by tanon_below asc nulls last, tanon_above asc nulls last
        ) as tanon_place,
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
            tanon._fact('groups', tanon_text, tanon_groups, null, tanon_is_kept, null,
                tanon_is_kept),
            tanon._fact('rows', tanon_text, tanon_rows, null, tanon_is_kept, null, tanon_is_kept)
        ] as facts
    from (
        select
            -- Sizes below k each by themselves, then in classes that double from k on.
            case when tanon_f < {k} then tanon_f
                else ({k} * power(2, floor(log2(tanon_f / {k}))))::bigint end as tanon_class,
            tanon_is_kept, count(*) as tanon_groups, sum(tanon_n) as tanon_rows,
            case when tanon_class < {k} or tanon_class = 1 then tanon_class::varchar
                else tanon_class || ' to ' || (2 * tanon_class - 1) end
            || case when tanon_is_kept or tanon_class < {k} then '' else ', left out' end
                as tanon_text
        from {groups_at_chosen}
        group by tanon_class, tanon_is_kept
    )
end

-- Of somebody in a group, as often as somebody is in one: by the sizes of groups alone.
step risk_of_granularities
    select
        tanon_name, sum(tanon_f * tanon_groups) as tanon_all,
        sum(tanon_f * tanon_groups) filter (tanon_f >= {k}) as tanon_kept,
        coalesce(sum(tanon_groups) filter (tanon_f = 1), 0) as tanon_alone,
        sum(tanon_groups) as tanon_before, sum(tanon_groups) filter (tanon_f >= {k}) as tanon_after,
        1 / min(tanon_f) as tanon_worst,
        1 / min(tanon_f) filter (tanon_f >= {k}) as tanon_worst_after
    from {sizes_told}
    group by tanon_name
end

-- Where somebody is in several groups, as in the smallest.
piece facts_of_people_at_risk
select
        7 as tanon_part, 1000000::bigint as tanon_place, 'risk' as section, [
            tanon._fact('respondents alone before', null, tanon_alone / tanon_everybody, null, null,
                null, true),
            tanon._fact('respondents below k before', null, tanon_below_k / tanon_everybody, null,
                null, null, true),
            tanon._fact('mean risk of respondents before', null, tanon_mean_before, null, null,
                null, true),
            tanon._fact('mean risk of respondents after', null, tanon_mean_after, null, null, null,
                true),
            tanon._fact('respondents without a row', null, 1 - tanon_released / tanon_everybody,
                null, null, null, true)
        ]
    from {counted_people}
    where tanon_everybody > 0
end

step facts_of_risk
    {facts_of_people_at_risk}
    {if ts is not null}
    union all
    select
        7, tanon_place, 'risk', [
            tanon._fact('alone before', tanon_name, tanon_alone / tanon_all, null, null, null,
                true),
            tanon._fact('below k before', tanon_name, 1 - coalesce(tanon_kept, 0) / tanon_all, null,
                null, null, true),
            tanon._fact('mean risk before', tanon_name, tanon_before / tanon_all, null, null, null,
                true),
            tanon._fact('largest risk before', tanon_name, tanon_worst, null, null, null,
                tanon_worst <= 1 / {k}),
            tanon._fact('mean risk after', tanon_name, tanon_after / tanon_kept, null, null, null,
                true),
            tanon._fact('largest risk after', tanon_name, tanon_worst_after, 1 / {k},
                tanon_worst_after <= 1 / {k}, null, true)
        ] as facts
    from {risk_of_granularities} join {judged_told} using (tanon_name)
    where tanon_reason is null
    {end}
end
