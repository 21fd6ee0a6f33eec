-- How far random counts, estimated on what each setting releases, are from the truth. Generalized
-- values are numbered over all levels, and a group is a cell of all releases of its node down to
-- the k that it reaches, so that all are answered in one go.
-- Yields: errors_of_releases
-- Reads: attributes_listed, chosen_aims, chosen_groups, coded_texts, codes, common_tick, granules,
--   leaves, moments, paths, placed_moments, releases, source_cells, timed, times, times_met
-- Takes: qi, ts, granularities, keep, queries, seed

step texts_of_numbers
    select tanon_attribute, tanon_number, tanon_value
    from {paths}
    where tanon_level = 0
end

step members_of_codes
    select tanon_attribute, tanon_code, list(
        tanon_leaf order by tanon_leaf asc nulls last
    ) as tanon_members
    from {codes} join {texts_of_numbers} using (tanon_attribute, tanon_number)
    join {leaves} as tanon_l using (tanon_attribute)
    where tanon_value is not distinct from tanon_text
    group by tanon_attribute, tanon_code
end

step members_of_all
    select list(tanon_members order by tanon_rank asc nulls last) as tanon_members
    from (
        select
            list_position({qi:text}, tanon_attribute) as tanon_rank,
            list(tanon_members order by tanon_code asc nulls last) as tanon_members
        from {members_of_codes}
        group by tanon_attribute
        {if ts is not null}union all select 0, null{end}
        {for q in tanon._list(keep) joined by ''}union all select 1000000, null{end}
    )
end

step spans_of_codes
    {if ts is null}
    select 1 as tanon_code, 0 as tanon_starts, 1 as tanon_ends
    {else}
    select tanon_code, min(tanon_starts) as tanon_starts, max(tanon_ends) as tanon_ends
    from (
        select
            tanon_level as tanon_place, tanon_number, tanon_code
        from {codes}
        where tanon_attribute = {ts:text}
    ) join (
        {for g in tanon._built(granularities) joined by ' union all '}
        select
            tanon_place, tanon_number,
            tanon._us_since_year_1(tanon._start(tanon_t, {g})) as tanon_starts,
            tanon._us_since_year_1(tanon._end(tanon_t, {g})) as tanon_ends
        from {moments}, {times}
        where tanon_name = {g}
        {end}
        {if len(tanon._of_calendar(granularities)) > 0}
        {if len(tanon._built(granularities)) > 0}union all{end}
        select
            tanon_place, tanon_number,
            tanon._us_since_year_1(g.tanon_starts) as tanon_starts,
            tanon._us_since_year_1(g.tanon_ends) as tanon_ends
        from {placed_moments} join {times} using (tanon_place)
        join {granules} as g using (tanon_name, tanon_granule)
        {end}
    ) using (tanon_place, tanon_number)
    group by tanon_code
    {end}
end

-- The cells of the source, each as every chosen node has it, with what is kept.
step cells_at_nodes
    select
        tanon_node,
        {for q in tanon._list(qi) joined by ''}
        tanon_a.{q:name}[{tanon._dictionary(q)}.tanon_number] as {q:name},
        {end}
        tanon_a.tanon_time[{if ts is null}1{else}tanon_m.tanon_number{end}] as tanon_time,
        tanon_codes[{tanon._number_of(qi)} + 1:] as tanon_kept, sum(tanon_n)::bigint as tanon_n
    from (select * exclude (tanon_n), tanon_c.tanon_n from {coded_texts} as tanon_c) as tanon_c
    {for q in tanon._list(qi) joined by ''}
    join (
        select tanon_value, min(tanon_number) as tanon_number
        from {texts_of_numbers}
        where tanon_attribute = {q}
        group by tanon_value
    ) as {tanon._dictionary(q)}
        on tanon_c.{q:name} is not distinct from {tanon._dictionary(q)}.tanon_value
    {end}
    {if ts is not null}
    join {common_tick} on true
    join (select tanon_tick_number, tanon_number from {moments}) as tanon_m
        on tanon_at // tanon_us = tanon_tick_number
    {end}
    cross join {chosen_aims} as tanon_a
    group by all
end

step cells_of_releases
    select list(list_concat([
        {if ts is not null}tanon_time - 1,{end}
        {for q in tanon._list(qi) joined by ', '}{q:name} - 1{end}
    ], tanon_kept, [tanon_n, tanon_last])::double[]) as tanon_released
    from (
        select
            c.*, (
                select max(tanon_release) from {releases} as r
                where r.tanon_node = g.tanon_node and r.tanon_k <= g.tanon_f
            ) as tanon_last
        from {cells_at_nodes} as c join {chosen_groups} as g
            on c.tanon_node = g.tanon_node and c.tanon_time = g.tanon_time
            {for q in tanon._list(qi) joined by ''}and c.{q:name} = g.{q:name} {end}
    )
end

step answers_of_cells materialized
    select unnest(tanon._answer(tanon_count_queries(
        tanon_attributes,
        {if ts is null}[]{else}(
            select list(tanon_at order by tanon_moment asc nulls last) from {times_met}
        ){end},
        {if ts is null}1{else}
        (
            select case when bool_or(tanon_is_date) then 86400000000 else 1 end from {timed}
        ){end},
        tanon_cells, tanon_members,
        (select list(
            [tanon_starts, tanon_ends] order by tanon_code asc nulls last
        ) from {spans_of_codes}),
        tanon_released, (select count(*) from {releases}), {queries}, {seed}
    )), recursive := true)
    from {attributes_listed}, {members_of_all}, {source_cells}, {cells_of_releases}
end

step errors_of_releases
    select
        tanon_release, median(tanon_error) as tanon_median,
        quantile_cont(tanon_error, 0.9) as tanon_ninth
    from (
        select
            r.tanon_release, a.query,
            abs(list_sum(list(estimate order by a.release asc nulls last)) - any_value(truth))
                / nullif(any_value(truth), 0) as tanon_error
        from {answers_of_cells} as a join {releases} as l on a.release = l.tanon_release
        join {releases} as r on r.tanon_node = l.tanon_node and r.tanon_k <= l.tanon_k
        group by r.tanon_release, a.query
    )
    group by tanon_release
end
