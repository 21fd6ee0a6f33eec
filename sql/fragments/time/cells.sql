{# tanon_days: for each day of the rows the first beat in its granules of such a day, which is all
   there is to know of them, and the first day in its cell, the days that no granularity made of
   days parts. tanon_cells: the rows of each value in each cell, and how many are first of their
   respondent in a granule. #}
tanon_granules_of_days as (
    select
        tanon_day
        {for g in tanon._of_days(granularities) joined by ''}
        , min(tanon_dawn) over (partition by ({g:index_text})) as {g:begin}
        {end}
        {for g in tanon._of_calendar(granularities) joined by ''}
        , min(tanon_dawn) over (partition by {g:granule}) as {g:begin}
        {end}
    from (
        select
            tanon_day
            {for g in tanon._of_calendar(granularities) joined by ''}
            , max(tanon_granule) filter (where tanon_name = {g}) as {g:granule}
            {end}
        from (
            {if len(tanon._of_calendar(granularities)) > 0}
            select
                ((epoch_us(tanon_first) + 62135596800000000) // 86400000000)::integer as tanon_day,
                tanon_name, tanon_granule
            from tanon_found
            {else}
            select (tanon_beat // {granularities:beats_of_day_text})::integer as tanon_day
            from tanon_sorted
            {end}
        )
        group by tanon_day
    ) as tanon_met, lateral (
        select
            make_timestamp(tanon_day * 86400000000 - 62135596800000000) as tanon_t,
            tanon_day * {granularities:beats_of_day_text} as tanon_dawn
    )
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
    from tanon_sorted join tanon_days
        on tanon_beat // {granularities:beats_of_day_text} = tanon_day
    group by tanon_value, tanon_cell
),
