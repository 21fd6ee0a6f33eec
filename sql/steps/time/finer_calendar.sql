-- Which granularity is finer than which where a calendar has a part.
-- Yields: calendar_pairs
-- Reads: granules
-- Takes: granularities

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
    select {g} as tanon_built, *, {tanon._index_text(g)} as tanon_index
    from {edges}
    {end}
    {if len(tanon._built(granularities)) = 0}
    select null::varchar as tanon_built, *, 0 as tanon_index from {edges} where false
    {end}
end

step built_spells
    select
        tanon_built, tanon_name, tanon_granule, tanon_ends, tanon_next,
        min(tanon_index) filter (tanon_at = 1) as tanon_before,
        min(tanon_index) filter (tanon_at = 2) as tanon_first,
        min(tanon_index) filter (tanon_at = 3) as tanon_last,
        min(tanon_index) filter (tanon_at = 4) as tanon_behind,
        min(tanon_index) filter (tanon_at = 5) as tanon_before_next
    from {built_edges}
    group by all
end

step calendar_pairs
    select tanon_built as tanon_below, tanon_name as tanon_above
    from {built_spells}
    group by all
    having bool_and(
        coalesce(tanon_before <> tanon_first, true) and coalesce(tanon_last <> tanon_behind, true)
        and (coalesce(tanon_next, tanon_ends) = tanon_ends
            or tanon_behind is null and tanon_before_next is null
            and tanon_next - tanon_ends <= interval 2 days)
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
