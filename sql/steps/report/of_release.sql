-- What was released, what became of each column, and what was promised: facts of a report.
-- Yields: facts_of_columns, facts_of_promise, facts_of_release
-- Reads: choice, counted_people, few_are_left_out, groups_at_chosen, k_holds,
--     left_out_is_within_limits, levels_given, levels_wanted, limits_hold, limits_released,
--     nearest_granularity, population_is_met, presence_holds, presence_released, release,
--     released_sums, sizes_offered, span, uid_is_there_once
-- Takes: source, respondent, qi, ts, keep, k, max_suppression, hierarchies, choose_by, suppression,
--     remainder, sensitive, limits, presence

step counted_groups
    select
        coalesce(sum(tanon_n) filter (tanon_is_kept), 0) as tanon_kept_rows,
        coalesce(sum(tanon_n) filter (not tanon_is_kept), 0) as tanon_lost_rows,
        count(*) filter (tanon_is_kept) as tanon_kept_groups,
        count(*) filter (not tanon_is_kept) as tanon_lost_groups,
        min(tanon_f) filter (tanon_is_kept) as tanon_least,
        coalesce(sum(tanon_f) filter (tanon_is_kept), 0) as tanon_sum,
        tanon_kept_rows + tanon_lost_rows as tanon_rows
    from {groups_at_chosen}
end

-- What the remainder shows, row by row, with the respondents whom each stands for.
step rest_of_release materialized
    select count(*) as tanon_n, count(distinct tanon_uid) as tanon_f
    from (
        select {if ts is null}null{else}{ts}{end} as tanon_period, {respondent} as tanon_uid
        from {release}
        where tanon_is_rest
    )
    group by tanon_period
end

step facts_of_release
    select
        1 as tanon_part, 1::bigint as tanon_place, 'release' as section, [
            tanon._fact('granularity', null, null, null, null, tanon_name, true),
            tanon._fact('rows released', null, tanon_kept_rows, null, null, null, true),
            tanon._fact('respondents released', null, tanon_released, null, null, null, true),
            tanon._fact('groups released', null, tanon_kept_groups, null, null, null, true),
            {if suppression = 'cells'}
            tanon._fact('cells hidden', null, (select tanon_cells from {released_sums}), null, null,
                null, true),
            {end}
            {if remainder}
            tanon._fact('rows of the remainder', null, (select count(*) from {rest_of_release}),
                null, null, null, true),
            tanon._fact('rows that these stand for', null, (
                select coalesce(sum(tanon_n), 0) from {rest_of_release}
            ), null, null, null, true),
            {end}
            {if tanon._is_searched(ts, hierarchies, choose_by, limits, presence)}
            tanon._fact('bits lost by a row', null, (select tanon_bits from {choice}), null, null,
                null, true),
            {end}
            tanon._fact('rows', null, tanon_rows, null, null, null, false),
            tanon._fact('respondents', null, tanon_everybody, null, null, null, false),
            tanon._fact('groups left out', null, tanon_lost_groups, null, null, null, false),
            tanon._fact('rows left out', null, tanon_lost_rows, null, null, null, false)
            {if ts is not null}
            , tanon._fact('first time', null, null, null, null,
                (select tanon_first from {span}), false),
            tanon._fact('last time', null, null, null, null,
                (select tanon_last from {span}), false)
            {end}
        ] as facts
    from {counted_groups} left join {nearest_granularity} on true, {counted_people}
end

step roles_of_columns
    select
        column_name as tanon_column, column_type as tanon_type, tanon_level, tanon_top,
        case
            when folded = tanon._folded({respondent:text}) then 1
            when tanon._is_named(folded, {qi:text}) then 2
            {if ts is not null}when folded = tanon._folded({ts:text}) then 3{end}
            {if limits is not null}
            when folded = tanon._folded({sensitive:text}) then
                case when tanon._is_named(folded, {keep:text}) then 4 else 5 end
            {end}
            when tanon._is_named(folded, {keep:text}) then 6
            else 7 end as tanon_role
    from {source:columns} left join {levels_wanted}
        on folded = tanon._folded(tanon_attribute)
    left join (
        {if hierarchies is null}
        select null::varchar as tanon_attribute, 0 as tanon_top
        {else}
        select tanon_attribute, max(tanon_level) as tanon_top
        from {levels_given}
        group by tanon_attribute
        {end}
    ) using (tanon_attribute)
end

step facts_of_columns
    select
        2 as tanon_part, row_number() over (
            order by tanon_role asc nulls last, tanon_column asc nulls last
        ) as tanon_place,
        'columns' as section, [tanon._fact(
            (['respondent', 'quasi-identifier', 'time', 'sensitive', 'sensitive', 'kept',
                'stays home'])[tanon_role],
            tanon_column, case when tanon_role = 2 then tanon_level end,
            case when tanon_role = 2 then tanon_top end, null, case tanon_role
                when 1 then 'counted, never released'
                when 2 then case when tanon_level > 0
                    then 'released at level ' || tanon_level || ' of ' || tanon_top
                    else 'released as it is' end
                    {if suppression = 'cells'}|| ', or * where it is hidden'{end}
                    || '; every group has at least ' || {k} || ' respondents'
                when 3 then 'released as its ' || coalesce(replace(
                    (select tanon_name from {nearest_granularity}), '_', ' '), 'granule')
                when 4 then 'released as it is, within limits in every group'
                when 5 then 'not released; within limits in every group'
                when 6 then 'released as it is, not protected'
                else 'not released' end, true)] as facts
    from {roles_of_columns}
end

-- Groups are counted twice, by sorting rows and by hashing them, or from the rows that the
-- publisher would give out; both must find the same.
guard counts_agree on facts_of_promise
    select 'source must give the same groups however they are counted, got ' || count(*)
        || ' sizes that differ: tell the authors'
    {if tanon._is_more_than_time(ts, hierarchies, choose_by, limits, presence,
        suppression, remainder)}
    from {released_sums} as tanon_a, {counted_groups} as tanon_b
    where tanon_a.tanon_m is distinct from tanon_least or tanon_s <> tanon_sum
        or tanon_groups <> tanon_kept_groups or tanon_kept <> tanon_kept_rows
    {else}
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
    {end}
    having count(*) > 0
end

step facts_of_limits
    select [
        {for n in tanon._asked_of(limits) joined by ', '}
        tanon._fact({n}, {sensitive:text}, round({tanon._worst_text(n)}, 9),
            {tanon._limit_bound_text(limits, n)},
            {checked limits_hold} and {checked left_out_is_within_limits}
            and coalesce(tanon._is_within({n}, round({tanon._worst_text(n)}, 9),
                {tanon._limit_bound_text(limits, n)}), true), tanon._bound_means({n}), true)
        {end}
    ] as facts
    from {limits_released}
end

step facts_of_presence
    select [
        {for n in tanon._asked_of(presence) joined by ', '}
        tanon._fact({n}, null, round({tanon._worst_text(n)}, 9),
            {tanon._limit_bound_text(presence, n)},
            {checked presence_holds} and {checked population_is_met}
            and coalesce(tanon._is_within({n}, round({tanon._worst_text(n)}, 9),
                {tanon._limit_bound_text(presence, n)}), true), tanon._bound_means({n}), true)
        {end}
    ] as facts
    from {presence_released}
end

step facts_of_promise
    select
        3 as tanon_part, 1::bigint as tanon_place, 'promise' as section, [
            tanon._fact('smallest group', null, tanon_least, {k}, coalesce(tanon_least >= {k}, true)
                    and {checked counts_agree}
                    {if tanon._is_more_than_time(
                        ts, hierarchies, choose_by, limits, presence, suppression, remainder)}
                    and {checked k_holds} and {checked uid_is_there_once}
                    {end},
                'respondents who share quasi-identifiers'
                    {if ts is not null}|| ' and time'{end}, true),
            tanon._fact('share left out', null, tanon_lost_rows / greatest(tanon_rows, 1),
                {max_suppression}, tanon_lost_rows <= {max_suppression} * tanon_rows
                    and (select count(*) > 0 from {nearest_granularity})
                    {if tanon._is_more_than_time(
                        ts, hierarchies, choose_by, limits, presence, suppression, remainder)}
                    and {checked few_are_left_out}{end},
                'rows in groups of fewer than ' || {k}
                    {if limits is not null}|| ' or outside limits'{end}
                    {if presence is not null}|| ' or too seldom in population'{end}, true)
            {if remainder}
            , tanon._fact('smallest remainder', null, (
                select min(tanon_f) from {rest_of_release}
            ), {k}, coalesce((select min(tanon_f) from {rest_of_release}) >= {k}, true),
                'respondents whom one row of the remainder stands for', true)
            {end}
        ] as facts
    from {counted_groups}
    {if limits is not null}
    union all
    select 3, 2, 'promise', facts from {facts_of_limits}
    {end}
    {if presence is not null}
    union all
    select 3, 3, 'promise', facts from {facts_of_presence}
    {end}
end
