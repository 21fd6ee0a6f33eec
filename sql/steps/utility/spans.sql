-- From when to when the granules of a release are; * is all of them.
-- Yields: spans
-- Reads: granules, placed
-- Takes: ts, granularity

step granules_met
    {if ts is null}
    select null::varchar as tanon_label, 0 as tanon_starts, 1 as tanon_ends
    {else}
    {if tanon._is_granularity(granularity)}
    select
        tanon._label(tanon_t, {granularity}) as tanon_label,
        min(tanon._us_since_year_1(tanon._start(tanon_t, {granularity}))) as tanon_starts,
        max(tanon._us_since_year_1(tanon._end(tanon_t, {granularity}))) as tanon_ends
    from (select distinct tanon_t from {placed})
    group by tanon_label
    {else}
    select
        tanon_label, tanon._us_since_year_1(tanon_starts) as tanon_starts,
        tanon._us_since_year_1(tanon_ends) as tanon_ends
    from {granules}
    {end}
    {end}
end

step spans materialized
    select *, row_number() over (order by tanon_starts, tanon_label) - 1 as tanon_span
    from (
        from {granules_met}
        {if ts is not null}
        union all
        select '*', min(tanon_starts), max(tanon_ends) from {granules_met} having count(*) > 0
        {end}
    )
end
