{# What is offered: how each granularity lies on the time line, which is finer than which.
   A granularity is finer than another if each of its granules, or for one that is built in each
   that meets the time from the first to the last granule of a calendar, lies inside one of it. #}
tanon_offer as materialized (
    select *, list_position({granularities:text}, tanon_name) as tanon_place
    from (
        from (values (null::varchar, '', 0::bigint, 0::bigint, 0::bigint)
            {for g in tanon._built(granularities) joined by ''}, {g:rule_text}{end}
        ) as tanon_rules(tanon_name, tanon_kind, tanon_width, tanon_begin, tanon_length)
        {if len(tanon._of_calendar(granularities)) > 0}
        union all
        select
            tanon_name, 'calendar', 0, 0,
            (sum(epoch_us(tanon_ends) - epoch_us(tanon_starts)) // count(*))::bigint
        from tanon_granules
        group by tanon_name
        {end}
    )
    where tanon_name is not null
),
{if len(tanon._of_calendar(granularities)) > 0}
{% include "fragments/time/finer_calendar.sql" %}
{end}
tanon_pairs as materialized (
    select a.tanon_name as tanon_fine, b.tanon_name as tanon_coarse
    from tanon_offer as a, tanon_offer as b
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
    select tanon_fine, tanon_coarse from tanon_calendar_pairs
    {end}
),
tanon_same as (
    select error({function} || ': granularities must have different granules, got '
        || string_agg(a.tanon_fine || ' and ' || a.tanon_coarse, ', ' order by a.tanon_fine)
        || ' with the same')::boolean as tanon_fine
    from tanon_pairs as a join tanon_pairs as b
        on a.tanon_fine = b.tanon_coarse and a.tanon_coarse = b.tanon_fine
    where a.tanon_fine < a.tanon_coarse
    having count(*) > 0
),
tanon_finer as materialized (
    from tanon_pairs where (select coalesce(bool_and(tanon_fine), true) from tanon_same)
)
