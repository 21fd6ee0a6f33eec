-- How well the release answers random counts: facts of a report, the same as those of
-- tanon.evaluate_k_anonymous for what tanon.publish_k_anonymous releases.
-- Yields: facts_of_utility, granules_at_nearest, rows_asked_at_nearest
-- Reads: attributes_listed, cells_in_codes, errors_by_selectivity, facts_of_answers, granules,
--     groups_at_chosen, leaves, nearest_granularity, numbered, rows_at_nearest, source_cells, span,
--     spans, times_met
-- Takes: source, qi, keep, granularities, k, queries

step rows_asked_at_nearest not materialized
    from {rows_at_nearest}
end

step granules_at_nearest
    {if len(tanon._built(granularities)) > 0}
    select
        tanon_granule::varchar as tanon_label,
        case tanon_name
            {for g in tanon._built(granularities) joined by ''}
            when {g} then tanon._us_since_year_1(tanon._start(tanon_first, {g}))
            {end}
        end as tanon_starts,
        case tanon_name
            {for g in tanon._built(granularities) joined by ''}
            when {g} then tanon._us_since_year_1(tanon._end(tanon_first, {g}))
            {end}
        end as tanon_ends
    from (
        select tanon_granule, min(tanon_t) as tanon_first
        from {rows_at_nearest}
        group by tanon_granule
    ), {nearest_granularity}
    where tanon_starts is not null
    {end}
    {if len(tanon._of_calendar(granularities)) > 0}
    {if len(tanon._built(granularities)) > 0} union all {end}
    select
        tanon_granule::varchar, tanon._us_since_year_1(tanon_starts),
        tanon._us_since_year_1(tanon_ends)
    from {granules} semi join {nearest_granularity} using (tanon_name)
    {end}
end

step texts_released materialized
    select
        {for q in flatten([tanon._list(qi), tanon._list(keep)]) joined by ''}
        tanon_s.{q:name}::varchar as {q:name},
        {end}
        tanon_s.tanon_granule::varchar as tanon_label, count(*) as tanon_n
    from {rows_at_nearest} as tanon_s join {numbered} as tanon_v
        on {for q in tanon._list(qi) joined by ' and '}
            tanon_s.{q:name} is not distinct from tanon_v.{q:name}
        {end}
    join {groups_at_chosen} as tanon_g
        on tanon_v.tanon_value = tanon_g.tanon_value
        and tanon_s.tanon_granule = tanon_g.tanon_granule
    where tanon_f >= {k}
    group by all
end

use coded_release = cells_in_codes(rows = texts_released)

-- Every value is released as it is: it stands for itself.
step members_as_they_are
    select list_concat([null], list(tanon_members order by tanon_place)) as tanon_members
    from (
        select
            list_position(list_concat({qi:text}, tanon._list({keep:text})), tanon_attribute)
                as tanon_place,
            list([tanon_leaf] order by tanon_leaf) as tanon_members
        from {leaves}
        group by tanon_attribute
    )
end

step answers_of_release materialized
    select unnest(tanon_count_queries(
        tanon_attributes, (select list(tanon_at order by tanon_moment) from {times_met}),
        (select case when tanon_is_date then 86400000000 else 1 end from {span}),
        tanon_cells, tanon_members,
        (select list([tanon_starts, tanon_ends] order by tanon_span) from {spans}),
        (
            select list(list_concat([tanon_span], tanon_codes, [tanon_n, 0])::double[])
            from {coded_release} join {spans} using (tanon_label)
        ), 1, {queries}, 0
    ), recursive := true)
    from {attributes_listed}, {members_as_they_are}, {source_cells}
end

use errors_of_release = errors_by_selectivity(answers = answers_of_release)

step errors_in_report
    from ({errors_of_release})
end

use facts_of_utility = facts_of_answers(errors = errors_in_report)
