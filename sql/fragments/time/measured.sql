{# Groups of one granularity after the other. A group is one number, (value, granule); its firsts
   and its rows are the halves of another, so that one sum over one key is all there is to do. #}
tanon_measured as materialized (
    {for g in tanon._built(granularities) joined by ' union all '}
    select
        {g} as tanon_name,
{% include "fragments/time/measures.sql" %}
    from (
        select sum(case
            when ({g:previous_index_text}) = ({g:index_text}) then 4294967296 else 4294967297
        end)::bigint as tanon_fn
        from tanon_sorted, (select {g:extent_text} as tanon_extent from tanon_span)
        where (select tanon_reason is null from tanon_feasibility where tanon_name = {g})
        group by tanon_value * tanon_extent + ({g:index_text})
    )
    {end}
    {for g in tanon._of_calendar(granularities) joined by ''}
    {if len(tanon._built(granularities)) > 0 or g <> tanon._of_calendar(granularities)[1]}
    union all
    {end}
    select
        {g} as tanon_name,
{% include "fragments/time/measures.sql" %}
    from (
        select sum(case when tanon_previous >= tanon_starts then 4294967296 else 4294967297 end)
            ::bigint as tanon_fn
        from tanon_sorted, tanon_tick, tanon_found
        where tanon_found.tanon_name = {g} and tanon_found.tanon_tick
            = (epoch_us(tanon_sorted.tanon_t) + 62135596800000000) // tanon_width
            and (select tanon_reason is null from tanon_feasibility where tanon_name = {g})
        group by tanon_value, tanon_granule
    )
    {end}
),
