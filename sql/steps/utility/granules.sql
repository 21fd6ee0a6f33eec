-- The rows that queries ask about with their time, and from when to when granules are, of the
-- granularity that is chosen, by the labels of rows that are placed in it.
-- Yields: granules_of_time, rows_to_ask
-- Reads: granules, timed
-- Takes: source, ts, granularities

step rows_to_ask not materialized
    {if ts is null}
    select *, null::timestamp as tanon_t from {source}
    {else}
    from {timed}
    {end}
end

step granules_of_time(chosen, rows)
    {if ts is null}
    select null::varchar as tanon_label, 0 as tanon_starts, 1 as tanon_ends
    {else}
    {if len(tanon._built(granularities)) > 0}
    select
        tanon_label,
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
        select tanon_label, min(tanon_t) as tanon_first
        from {rows}
        group by tanon_label
    ), {chosen}
    where tanon_starts is not null
    {end}
    {if len(tanon._of_calendar(granularities)) > 0}
    {if len(tanon._built(granularities)) > 0} union all {end}
    select
        tanon_label, tanon._us_since_year_1(tanon_starts) as tanon_starts,
        tanon._us_since_year_1(tanon_ends) as tanon_ends
    from {granules} semi join {chosen} using (tanon_name)
    {end}
    {end}
end
