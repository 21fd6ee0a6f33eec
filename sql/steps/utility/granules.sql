-- The rows that queries ask about with their time and granule, and from when to when these are,
-- where one granularity is given.
-- Yields: granules_of_granularity, rows_of_granularity
-- Reads: granules, placed
-- Takes: source, ts, granularity

step rows_of_granularity not materialized
    {if ts is null}
    select *, null::timestamp as tanon_t, null::bigint as tanon_granule from {source}
    {else}
    from {placed}
    {end}
end

step granules_of_granularity
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
