-- Returns one series for each series_id from rows with a time and a value.
--
-- Use this function before tanon.publish_series if the table has one row for each reading. Without
-- granularity, the positions are all times of the table. With granularity, the positions are all
-- granules from the first to the last, and several values of one granule are averaged.
--
-- If a value is missing, the function raises an error, unless fill is given:
--
--   'previous'  the last value before the gap; before the first value, the first value.
--   'linear'    the line between the neighbours; at the ends as 'previous'.
--   a number    this number.
--
-- NULL, NaN and infinite values are errors, as are two values at one time. So are more than
-- 10,000,000 granules from the first to the last, because each becomes a position.
--
-- Cost: one sort. With gaps, one row for each series and position. DuckDB spills to disk what does
-- not fit in memory.
--
-- Arguments:
--   source       relation                 the table, the view or the query in parentheses
--   series_id    column not null as respondent  the series of the row
--   ts           column(time) not null as time  the time of the reading
--   value        column(number) not null  the reading
--   granularity  text = NULL              a granularity such as 'month'; NULL: the times as they
--       are
--   fill         value = NULL             the value for gaps: 'previous', 'linear' or a number;
--       NULL: a gap is an error
-- Checks:
--   granularity  tanon._not_granularities([granularity]) among tanon._built_in()  a built-in one
--       or a bucket such as '5 years'
--   fill  fill is null or tanon._is_fill(fill)  'previous', 'linear' or a number
-- Result:
--   {series_id}    as in source  the series
--   series  DOUBLE[]      the readings in the order of time
--   filled  BIGINT        the number of filled gaps
-- For: the owner
-- Example:
--   from tanon.series_from_rows('cases', series_id := 'district', ts := 'day', value := 'age',
--       granularity := 'month', fill := 'linear')
--   order by all

-- Each id with a reading at every instant, and what was put where it had none. The function says
-- what `readings_at` are (id, instant, value) and what the `instants` are, with their places.

guard none_is_missing on every_reading when fill is null
    select 'source must have a value at each of the ' || any_value(tanon_instants)
        || ' times unless fill is given, got ' || count(*)
        || ' series without some of them: '
        || array_to_string(
            list(tanon_id::varchar order by tanon_id::varchar asc nulls last)[:5], ', ')
    from (
        select tanon_id, any_value(tanon_instants) as tanon_instants
        from {readings_at}, (select count(*) as tanon_instants from {instants})
        group by tanon_id
        having count(*) < any_value(tanon_instants)
    )
    having count(*) > 0
end

step every_reading
    select
        tanon_id, tanon_place, tanon_value,
        last_value(tanon_value ignore nulls) over tanon_before as tanon_last,
        first_value(tanon_value ignore nulls) over tanon_after as tanon_next,
        last_value(if(tanon_value is null, null, tanon_place) ignore nulls) over tanon_before
            as tanon_last_place,
        first_value(if(tanon_value is null, null, tanon_place) ignore nulls) over tanon_after
            as tanon_next_place
    from (from (select distinct tanon_id from {readings_at}), {instants})
    left join {readings_at} using (tanon_id, tanon_instant)
    {if fill is null}where {checked none_is_missing}{end}
    window
        tanon_before as (
            partition by tanon_id order by tanon_place asc nulls last
            rows between unbounded preceding and current row
        ),
        tanon_after as (
            partition by tanon_id order by tanon_place asc nulls last
            rows between current row and unbounded following
        )
end

step dated_values
    select
        {series_id} as tanon_id,
        {if granularity is null}{ts}{else}
        tanon._index(tanon._clock({function}, {ts}, null), {granularity})
        {end} as tanon_instant,
        {value}::double as tanon_value
    from {source}
    {if granularity is not null}where {checked clock_is_known}{end}
end

guard values_are_finite on readings_at
    select 'value must be finite, got ' || count(*) || ' rows that are not, in '
        || array_to_string(
            list(distinct tanon_id::varchar order by tanon_id::varchar asc nulls last)[:5], ', ')
    from {dated_values}
    where not isfinite(tanon_value)
    having count(*) > 0
end

guard clock_is_known on dated_values when granularity is not null
    select 'ts must be a DATE or a TIMESTAMP if granularity is given, got a ' || column_type
        || '; convert it first by AT TIME ZONE'
    from {source:columns}
    where folded = tanon._folded({ts:text}) and column_type like 'TIMESTAMP%Z%'
end

guard instants_are_known on readings_at
    select 'ts must be covered by granularity, got ' || count(*) || ' rows that are not, in '
        || array_to_string(
            list(distinct tanon_id::varchar order by tanon_id::varchar asc nulls last)[:5], ', ')
    from {dated_values}
    where tanon_instant is null
    having count(*) > 0
end

guard instants_differ on readings_at when granularity is null
    select 'ts must be different in all rows of a series, got ' || count(*)
        || ' series with two values at one time: '
        || array_to_string(
            list(tanon_id::varchar order by tanon_id::varchar asc nulls last)[:5], ', ')
    from (
        select tanon_id
        from {dated_values}
        group by tanon_id
        having count(distinct tanon_instant) < count(*)
    )
    having count(*) > 0
end

guard positions_are_few on instants when granularity is not null
    select 'granularity must be coarse enough for at most 10000000 positions of a series, got '
        || positions
    from (
        select max(tanon_instant)::hugeint - min(tanon_instant) + 1 as positions
        from {readings_at}
    )
    where positions > 10000000
end

step readings_at
    select tanon_id, tanon_instant, avg(tanon_value) as tanon_value
    from {dated_values}
    where {checked values_are_finite} and {checked instants_are_known}
        {if granularity is null}and {checked instants_differ}{end}
    group by tanon_id, tanon_instant
end

step instants
    {if granularity is null}
    select distinct tanon_instant, case when tanon._is_near(tanon_instant)
        then epoch_us(tanon_instant::timestamp)
        else epoch_us(tanon._far_date({function}, tanon_instant)) end as tanon_place
    from {readings_at}
    {else}
    select tanon_instant, tanon_instant as tanon_place
    from (
        select unnest(range(min(tanon_instant), max(tanon_instant) + 1)) as tanon_instant
        from {readings_at}
        where {checked positions_are_few}
    )
    {end}
end

select
    tanon_id as {series_id},
    list(coalesce(
        tanon_value,
        {if fill::varchar = 'linear'}
        tanon_last + (tanon_next - tanon_last) * (tanon_place - tanon_last_place)
            / (tanon_next_place - tanon_last_place),
        {end}
        {if fill::varchar in ('previous', 'linear')}tanon_last, tanon_next
        {else}{if fill is null}null{else}{fill}::double{end}{end}
    ) order by tanon_place asc nulls last) as series,
    count(*) filter (tanon_value is null) as filled
from {every_reading}
group by tanon_id
