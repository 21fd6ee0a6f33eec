-- Where the records of each snapshot and value go: counts through tanon_reposition, and a check of
-- what comes back.
-- Yields: counts_at_home, counts_published, flows, flows_are_right, spellings, stream_values
-- Reads: decided_cells, spelled_cells
-- Takes: sensitive, l, w, move_cost, suppress_cost, method, start, lateness

-- Of several ways to write a value the first stands for it, whatever the order of the source.
step stream_values materialized
    select tanon_sa, row_number() over (order by tanon_sa asc nulls last) - 1 as tanon_value
    from (
        select arg_min_null(tanon_sa, tanon_spelling) as tanon_sa
        from {spelled_cells} as tanon_c
        group by tanon_c.tanon_sa
    )
end

-- Each way to write a value, in the order of values.
step spellings
    select
        tanon_spelling, tanon_value,
        row_number() over (
            order by tanon_value asc nulls last, tanon_spelling asc nulls last
        ) as tanon_number
    from (select distinct tanon_spelling, tanon_sa from {spelled_cells}) as tanon_c
        join {stream_values} as tanon_v on tanon_c.tanon_sa is not distinct from tanon_v.tanon_sa
end

step counts_at_home materialized
    select tanon_value, tanon_home, sum(tanon_records)::bigint as tanon_records
    from {decided_cells} as tanon_c join {stream_values} as tanon_v
        on tanon_c.tanon_sa is not distinct from tanon_v.tanon_sa
    group by tanon_value, tanon_home
end

step costs_of_suppressing
    {if suppress_cost is null} select null::double[] as tanon_betas
    {else} {if tanon._is_positive(suppress_cost)} select [{suppress_cost}::double] as tanon_betas
    {else} select if(
            count(*) > count(distinct tanon_value),
            error({function} || ': suppress_cost must give one cost for each value of '
                || {sensitive:text}
                || ', got ' || count(*) - count(distinct tanon_value) || ' more'),
            list(coalesce("cost"::double, error({function}
                || ': suppress_cost must give a cost for every value of ' || {sensitive:text}
                || ', got none for ' || coalesce(tanon._value_text(tanon_sa), 'NULL')
            )) order by tanon_value asc nulls last)
        ) as tanon_betas
        from {stream_values} left join {suppress_cost:relation} as tanon_given
            on tanon_given."value" is not distinct from tanon_sa
    {end} {end}
end

step flows materialized
    select unnest(tanon._answer(tanon_reposition(
        {function},
        (select list({'home': tanon_home, 'value': tanon_value, 'records': tanon_records})
            from {counts_at_home}),
        tanon_betas,
        {if tanon._is_cost_formula(move_cost)} null
        {else} (
            select list({'distance': "distance"::bigint, 'cost': "cost"::double})
            from {move_cost:relation}
        ) {end},
        {l}, {w}, {move_cost}, {method}, {start}, {lateness}
    )), recursive := true)
    from {costs_of_suppressing}
end

step counts_published
    select tanon_slot, tanon_value, sum(tanon_records) as tanon_n
    from {flows}
    where tanon_slot is not null
    group by tanon_slot, tanon_value
end

-- A way is what of a snapshot stays, what goes to one later slot, or what is lost.
step records_by_way
    select
        sum(tanon_records) as tanon_n,
        sum(sum(tanon_records)) over (partition by tanon_home, tanon_slot) as tanon_way,
        sum(sum(tanon_records)) over (partition by tanon_home, tanon_value) as tanon_of_value,
        sum(sum(tanon_records)) over (partition by tanon_home) as tanon_snapshot
    from {flows}
    group by tanon_home, tanon_slot, tanon_value
end

step wrong_flows
    select 'snapshots that are not l-eligible' as tanon_what
    from {counts_published}
    group by tanon_slot
    having tanon._exceeds_share(max(tanon_n), sum(tanon_n), {l})
    union all
    select 'records moved backward or beyond the window'
    from {flows} where tanon._leaves_window(tanon_home, tanon_slot, {w})
    union all
    select 'counts that do not add up'
    from (
        select tanon_value, tanon_home, tanon_records from {counts_at_home}
        union all
        select tanon_value, tanon_home, -tanon_records from {flows}
    )
    group by tanon_value, tanon_home
    having sum(tanon_records) <> 0
    {if lateness = 'covered'}
    union all
    select 'records that are late and tell more than their snapshot'
    from {records_by_way}
    where tanon._tells_more(tanon_n, tanon_way, tanon_of_value, tanon_snapshot, {l})
    {end}
end

guard flows_are_right on flows
    select 'the result must be l-eligible and complete, got '
        || string_agg(distinct tanon_what, ', ') || ': nothing is returned'
    from {wrong_flows}
    having count(*) > 0
end
