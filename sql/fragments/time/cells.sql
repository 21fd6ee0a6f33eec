{# tanon_days: of each day of the rows the first such day in its granules, which is all there is to
   know of them, and in its cell, the days that no granularity made of days parts. tanon_cells: the
   rows of each value in each cell, and how many are first of their respondent in a granule. #}
tanon_granules_of_days as (
    select
        tanon_day
        {for g in tanon._of_days(granularities) joined by ''}
        , min(tanon_day) over (partition by ({g:index_text})) as {g:begin}
        {end}
        {for g in tanon._of_calendar(granularities) joined by ''}
        , min(tanon_day) over (partition by {g:granule}) as {g:begin}
        {end}
    from (
        select
            date_trunc('day', tanon_t)::timestamp as tanon_day
            {for g in tanon._of_calendar(granularities) joined by ''}
            , max(tanon_granule) filter (where tanon_name = {g}) as {g:granule}
            {end}
        {if len(tanon._of_calendar(granularities)) > 0}
        from (
            select tanon_name, tanon_first as tanon_t,
                case when tanon_width = 86400000000 then tanon_granule end as tanon_granule
            from tanon_found, tanon_tick
        )
        {else}
        from tanon_sorted
        {end}
        group by tanon_day
    ) as tanon_met, lateral (select tanon_day as tanon_t)
),
tanon_days as materialized (
    select
        *, min(tanon_day) over (partition by
            {for g in tanon._from_days(granularities) joined by ', '}{g:begin}{end}
        ) as tanon_cell
    from tanon_granules_of_days
),
tanon_cells as materialized (
    select
        tanon_value, tanon_cell, count(*) as tanon_n
        {for g in tanon._from_days(granularities) joined by ''}
        , count(case when tanon_previous >= {g:begin} then null else 1 end) as {g:firsts}
        {end}
    from tanon_sorted join tanon_days on date_trunc('day', tanon_t)::timestamp = tanon_day
    group by tanon_value, tanon_cell
),
