-- The rows of the source with the granule that covers each; every row has one. Calendars are found
-- under the name that steps have for them: let granularities = granularity.
-- Yields: placed
-- Reads: found, tick, timed
-- Takes: granularity

step located not materialized
    {if len(tanon._of_calendar(granularity)) > 0}
    select tanon_s.*, tanon_g.tanon_granule, tanon_g.tanon_label
    from {timed} as tanon_s, {tick}, {found} as tanon_g
    where tanon._us_since_year_1(tanon_s.tanon_t) // tanon_width = tanon_g.tanon_tick
    {else}
    select *, {tanon._index_text(granularity)} as tanon_granule
    from {timed}
    {end}
end

guard every_time_is_covered on placed
    select 'granularity must cover every time, got ' || {granularity} || ' and ' || count(*)
        || ' rows outside its granules, the first at ' || coalesce(min(tanon_t)::varchar, 'NULL')
    from {located}
    where tanon_granule is null
        or tanon_t < timestamp '0001-01-01' or tanon_t >= timestamp '10000-01-01'
    having count(*) > 0
    {if tanon._splits_days(granularity)}
    union all
    select 'granularity must have granules of whole days for a DATE, got ' || {granularity}
        || ' for ' || count(*) || ' rows'
    from {timed}
    where tanon_is_date
    having count(*) > 0
    {end}
end

step placed not materialized
    from {located} where {checked every_time_is_covered}
end
