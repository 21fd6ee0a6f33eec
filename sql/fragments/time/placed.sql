{# tanon_placed: the rows of the source with the granule that covers each; every row has one. #}
tanon_timed as not materialized (
    select
        tanon_s.*, tanon._clock({function}, {tanon_s.ts}, {tz}) as tanon_t,
        typeof({tanon_s.ts}) = 'DATE' as tanon_is_date
    from {source} as tanon_s
),
{if len(tanon._of_calendar(granularity)) > 0}
{% set offered = "granularity" %}
{% include "fragments/time/calendar.sql" %}
{% include "fragments/time/ticks.sql" %}
tanon_located as not materialized (
    select tanon_timed.*, tanon_found.tanon_granule, tanon_found.tanon_label
    from tanon_timed, tanon_tick, tanon_found
    where (epoch_us(tanon_timed.tanon_t) + 62135596800000000) // tanon_width
        = tanon_found.tanon_tick
),
{else}
tanon_located as not materialized (
    select *, {granularity:index_text} as tanon_granule
    from tanon_timed
),
{end}
tanon_gaps as (
    select error({function} || ': granularity must cover every time, got ' || {granularity}
        || ' and ' || count(*) || ' rows outside its granules, the first at '
        || coalesce(min(tanon_t)::varchar, 'NULL'))::boolean as tanon_fine
    from tanon_located
    where tanon_granule is null
        or tanon_t < timestamp '0001-01-01' or tanon_t >= timestamp '10000-01-01'
    having count(*) > 0
    {if tanon._splits_days(granularity)}
    union all
    select error({function} || ': granularity must have granules of whole days for a DATE, got '
        || {granularity} || ' for ' || count(*) || ' rows')::boolean
    from tanon_timed
    where tanon_is_date
    having count(*) > 0
    {end}
),
tanon_placed as not materialized (
    from tanon_located where (select coalesce(bool_and(tanon_fine), true) from tanon_gaps)
)
