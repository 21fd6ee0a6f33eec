-- Which granularities are offered, and which of them is finer than which. A granularity is finer
-- than another if each of its granules lies inside one of the other. Calendars are compared with
-- built-in granularities only in the time from the first to the last granule of the calendar.
-- Yields: offer, finer
-- Reads: granules
-- Takes: granularities

-- Which granularity is finer than which where a calendar has a part.

step spells
    select
        tanon_name, tanon_granule, tanon_starts, tanon_ends,
        lead(tanon_starts) over (
            partition by tanon_name order by tanon_starts asc nulls last
        ) as tanon_next
    from {granules}
end

step edges
    select
        tanon_name, tanon_granule, tanon_starts, tanon_ends, tanon_next,
        unnest([1, 2, 3, 4, 5]) as tanon_at,
        unnest([
            tanon_starts - interval 1 microsecond, tanon_starts,
            tanon_ends - interval 1 microsecond, tanon_ends,
            coalesce(tanon_next, tanon_ends) - interval 1 microsecond
        ]) as tanon_t
    from {spells}
end

-- For a granularity that is built in: its granules before, at and behind the edges of a spell.
step built_edges
    {for g in tanon._built(granularities) joined by ' union all '}
    select
        {g} as tanon_built, *, {tanon._index_text(g)} as tanon_index,
        {tanon._rank_text(g)} as tanon_rank
    from {edges}
    {end}
    {if len(tanon._built(granularities)) = 0}
    select null::varchar as tanon_built, *, 0 as tanon_index, 0 as tanon_rank
    from {edges}
    where false
    {end}
end

step built_spells
    select
        tanon_built, tanon_name, tanon_granule, tanon_ends, tanon_next,
        min(tanon_index) filter (tanon_at = 1) as tanon_before,
        min(tanon_index) filter (tanon_at = 2) as tanon_first,
        min(tanon_index) filter (tanon_at = 3) as tanon_last,
        min(tanon_index) filter (tanon_at = 4) as tanon_behind,
        min(tanon_rank) filter (tanon_at = 3) = min(tanon_rank) filter (tanon_at = 5)
            as tanon_none_until_next
    from {built_edges}
    group by all
end

step calendar_pairs
    select tanon_built as tanon_below, tanon_name as tanon_above
    from {built_spells}
    group by all
    having bool_and(
        coalesce(tanon_before <> tanon_first, true) and coalesce(tanon_last <> tanon_behind, true)
        and (coalesce(tanon_next, tanon_ends) = tanon_ends or tanon_none_until_next)
    )
    union all
    select tanon_name, tanon_built
    from {built_spells}
    group by all
    having bool_and(coalesce(tanon_first = tanon_last, false))
    union all
    select a.tanon_name, b.tanon_name
    from (
        select *, count(*) over (partition by tanon_name) as tanon_of_name from {granules}
    ) as a join {granules} as b
        on a.tanon_starts >= b.tanon_starts and a.tanon_ends <= b.tanon_ends
        and a.tanon_name <> b.tanon_name
    group by a.tanon_name, b.tanon_name
    having count(*) = any_value(a.tanon_of_name)
end

step offer materialized
    select *, list_position({granularities}, tanon_name) as tanon_place
    from (
        from (values (
                null::varchar, '', 0::bigint, 0::bigint, [0]::bigint[], [0]::bigint[], true,
                true, 0::bigint, 0::bigint
            )
            {for g in tanon._built(granularities) joined by ''}, {tanon._rule_text(g)}{end}
        ) as tanon_rules(
            tanon_name, tanon_unit, tanon_width, tanon_begin, tanon_starts, tanon_ends,
            tanon_in_days, tanon_has_gaps, tanon_beat_us, tanon_length
        )
        {if len(tanon._of_calendar(granularities)) > 0}
        union all
        select
            tanon_name, 'calendar', 0, 0, null, null, null, null, null,
            (sum(epoch_us(tanon_ends) - epoch_us(tanon_starts)) // count(*))::bigint
        from {granules}
        group by tanon_name
        {end}
    )
    where tanon_name is not null
end

-- A part of one granularity meets, over all time, each position of the other's period that is
-- tanon_first modulo tanon_gcd. It fits if at all of them it lies inside one part of the other.
-- Months begin at any position of a week or a day. So a granule lies inside one of another unit
-- only if it lies inside a day, and if the other unit has no gaps and parts no day.
step pairs materialized
    select a.tanon_name as tanon_below, b.tanon_name as tanon_above
    from {offer} as a join {offer} as b on a.tanon_name <> b.tanon_name
    where case
        when a.tanon_unit = 'calendar' or b.tanon_unit = 'calendar' then false
        when a.tanon_unit = b.tanon_unit then list_bool_and(list_transform(
            a.tanon_starts,
            lambda start, i: list_sum(list_transform(
                b.tanon_starts,
                lambda low, j: tanon._positions_within(
                    a.tanon_begin + start - b.tanon_begin, gcd(a.tanon_width, b.tanon_width),
                    low, b.tanon_ends[j] - a.tanon_ends[i] + start
                )
            )) = b.tanon_width // gcd(a.tanon_width, b.tanon_width)
        ))
        else a.tanon_in_days and not b.tanon_has_gaps and b.tanon_beat_us = 86400000000 end
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
