-- What is offered: how each granularity lies on the time line, which is finer than which. A
-- granularity is finer than another if each of its granules, or for one that is built in each that
-- meets the time from the first to the last granule of a calendar, lies inside one of it.
-- Yields: offer, finer
-- Reads: granules, calendar_pairs
-- Takes: granularities

step offer materialized
    select *, list_position({granularities}, tanon_name) as tanon_place
    from (
        from (values (null::varchar, '', 0::bigint, 0::bigint, 0::bigint)
            {for g in tanon._built(granularities) joined by ''}, {tanon._rule_text(g)}{end}
        ) as tanon_rules(tanon_name, tanon_kind, tanon_width, tanon_begin, tanon_length)
        {if len(tanon._of_calendar(granularities)) > 0}
        union all
        select
            tanon_name, 'calendar', 0, 0,
            (sum(epoch_us(tanon_ends) - epoch_us(tanon_starts)) // count(*))::bigint
        from {granules}
        group by tanon_name
        {end}
    )
    where tanon_name is not null
end

step pairs materialized
    select a.tanon_name as tanon_below, b.tanon_name as tanon_above
    from {offer} as a, {offer} as b
    where a.tanon_name <> b.tanon_name and case
        when a.tanon_kind = 'us' and b.tanon_kind = 'us'
            then b.tanon_width % a.tanon_width = 0
                and (b.tanon_begin - a.tanon_begin) % a.tanon_width = 0
        when a.tanon_kind = 'us' and b.tanon_kind in ('months', 'part')
            then 86400000000 % a.tanon_width = 0
        when a.tanon_kind = 'months' and b.tanon_kind = 'months'
            then b.tanon_width % a.tanon_width = 0
        when a.tanon_kind = 'part' then b.tanon_kind = 'months'
        when a.tanon_kind = 'business_day'
            then b.tanon_kind in ('business_week', 'months', 'part')
                or b.tanon_kind = 'us' and b.tanon_width % 86400000000 = 0
        when a.tanon_kind = 'business_week'
            then b.tanon_kind = 'us' and b.tanon_width % 604800000000 = 0
        else false end
    {if len(tanon._of_calendar(granularities)) > 0}
    union all
    select tanon_below, tanon_above from {calendar_pairs}
    {end}
end

guard granules_differ on finer
    select 'granularities must have different granules, got '
        || string_agg(
            a.tanon_below || ' and ' || a.tanon_above, ', ' order by a.tanon_below asc nulls last
        )
        || ' with the same'
    from {pairs} as a join {pairs} as b
        on a.tanon_below = b.tanon_above and a.tanon_above = b.tanon_below
    where a.tanon_below < a.tanon_above
    having count(*) > 0
end

-- tanon_below is the finer one of a pair.
step finer materialized
    from {pairs} where {checked granules_differ}
end
