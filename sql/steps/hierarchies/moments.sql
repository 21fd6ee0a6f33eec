-- The feasible granularities, placed, and the moments that they can tell apart, numbered: ticks of
-- the widest kind at whose multiples all their granules begin and end.
-- Yields: times, common_tick, moments, placed_moments
-- Reads: feasibility, found, offer, tick, timed
-- Takes: ts, granularities

step times materialized
    {if ts is null}
    select 1 as tanon_place, null::varchar as tanon_name
    {else}
    select row_number() over (
        order by tanon_length asc nulls last, tanon_name asc nulls last
    ) as tanon_place, tanon_name
    from {feasibility}
    where tanon_reason is null
    {end}
end

step common_tick materialized
    select list_reduce(
        list_concat([86400000000], list(tanon_beat_us)
            {if len(tanon._of_calendar(granularities)) > 0}
            , (select list(tanon_width) from {tick})
            {end}
        ), lambda a, b: gcd(a, b)
    ) as tanon_us
    from {offer}
    where tanon_unit <> 'calendar' and tanon_name in (select tanon_name from {times})
end

step moments materialized
    select *, (row_number() over (
        order by tanon_tick_number asc nulls last
    ))::integer as tanon_number
    from (
        select
            tanon._us_since_year_1(tanon_t) // tanon_us as tanon_tick_number,
            min(tanon_t) as tanon_t, count(*) as tanon_n
        from {timed}, {common_tick}
        group by tanon_tick_number
    )
end

step placed_moments
    select tanon_number, tanon_n, tanon_place, tanon_granule
    from (
        select
            tanon_number, tanon_n,
            unnest([
                {for g in tanon._built(granularities) joined by ', '}{g}{end}
            ]::varchar[]) as tanon_name,
            unnest([
                {for g in tanon._built(granularities) joined by ', '}({tanon._index_text(g)}){end}
            ]::bigint[]) as tanon_granule
        from {moments}
        {if len(tanon._of_calendar(granularities)) > 0}
        union all
        select tanon_number, tanon_n, tanon_name, tanon_granule
        from {tick}, {moments} join {found} as tanon_g
            on tanon_g.tanon_tick = tanon._us_since_year_1(tanon_t) // tanon_width
        {end}
    ) join {times} using (tanon_name)
end
