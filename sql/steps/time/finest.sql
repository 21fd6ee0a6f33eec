-- The granularity that is released where time alone is made coarser: one that is acceptable, with
-- no acceptable one below it; of several such, the one that loses the fewest bits. A row that stays
-- tells, for its time and each attribute, log2 of one over the share of rows that look like it; a
-- row left out tells nothing. So the one whose rows tell most, on average, loses least. The shorter
-- one and then the first of the alphabet are taken where bits are equal. Where only one is minimal,
-- no row is read for it.
-- Yields: finest
-- Reads: found, minimal, tick, timed
-- Takes: qi, granularities

step contenders materialized
    from {minimal} where (select count(*) > 1 from {minimal})
end

step granules_apart materialized
    select null::varchar as tanon_name, null::bigint as tanon_granule, 0::bigint as tanon_n
    where false
    {for g in tanon._built(granularities) joined by ''}
    union all
    select {g}, {tanon._index_text(g)}, count(*)
    from {timed}, (from {contenders} where tanon_name = {g})
    group by all
    {end}
    {if len(tanon._of_calendar(granularities)) > 0}
    union all
    select tanon_name, tanon_granule, count(*)
    from {timed} as tanon_s, {tick}, {found} as tanon_g join {contenders} using (tanon_name)
    where tanon_g.tanon_tick = tanon._us_since_year_1(tanon_s.tanon_t) // tanon_width
    group by all
    {end}
end

step values_apart materialized
    select {qi}, count(*) as tanon_n
    from {timed}, (from {contenders} limit 1)
    group by {qi}
end

-- What a row that stays tells of its quasi-identifiers.
step told_by_values
    select
        {for q in tanon._list(qi) joined by ' + '}
        (
            select coalesce(log2(sum(tanon_n)) - sum(tanon_n * log2(tanon_n)) / sum(tanon_n), 0)
            from (select sum(tanon_n) as tanon_n from {values_apart} group by {q:name})
        )
        {end}
        as tanon_bits
end

step finest materialized
    select tanon_name
    from {minimal} left join (
        select
            tanon_name,
            log2(sum(tanon_n)) - sum(tanon_n * log2(tanon_n)) / sum(tanon_n) as tanon_told
        from {granules_apart}
        group by tanon_name
    ) using (tanon_name), {told_by_values}
    order by
        round((1 - tanon_share) * (tanon_told + tanon_bits), 9) desc nulls last,
        tanon_length asc nulls last, tanon_name asc nulls last
    limit 1
end
