{# The rows with the time the clock shows, and which of the offered granularities cover them all. #}
{% set offered = "granularities" %}
tanon_timed as {if tz is null}not {end}materialized (
    select
        tanon_s.*, tanon._clock({function}, {tanon_s.ts}, {tz}) as tanon_t,
        typeof({tanon_s.ts}) = 'DATE' as tanon_is_date
    from {source} as tanon_s
),
{if len(tanon._of_calendar(granularities)) > 0}
{% include "fragments/time/calendar.sql" %}
{% include "fragments/time/ticks.sql" %}
{end}
{% include "fragments/time/offer.sql" %},
tanon_span as materialized (
    select
        count(*) as tanon_rows, min(tanon_t) as tanon_first, max(tanon_t) as tanon_last,
        coalesce(bool_or(tanon_is_date), false) as tanon_is_date,
        {if list_has_any(tanon._list(granularities), ['business_day', 'business_week'])}
        min(tanon_t) filter (where isodow(tanon_t) > 5)
        {else}
        null::timestamp
        {end}
        as tanon_weekend,
        min(tanon_t) filter (where tanon_t >= timestamp '10000-01-01') as tanon_late
    from tanon_timed
),
tanon_uncovered as (
    select
        tanon_name,
        case
            when tanon_first < timestamp '0001-01-01' then tanon_first
            when tanon_kind in ('business_day', 'business_week')
                then least(tanon_weekend, tanon_late)
            else tanon_late
        end as tanon_gap
    from tanon_offer, tanon_span
    where tanon_kind <> 'calendar'
    {if len(tanon._of_calendar(granularities)) > 0}
    union all
    select tanon_name, min(tanon_first)
    from tanon_found
    where tanon_granule is null
    group by tanon_name
    {end}
),
tanon_feasibility as materialized (
    select
        tanon_name, tanon_length, tanon_place,
        case
            when tanon_is_date and tanon_kind = 'us' and tanon_width % 86400000000 <> 0
                then 'its granules are shorter than the days of a DATE such as '
                    || tanon_first::date
            when tanon_gap is not null then 'no granule covers '
                || case when tanon_is_date then tanon_gap::date::varchar
                    else tanon_gap::varchar end
        end as tanon_reason
    from tanon_offer left join tanon_uncovered using (tanon_name), tanon_span
),
