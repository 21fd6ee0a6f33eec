-- For each day of the rows the first beat in its granules of such a day, which is all there is to
-- know of them, and the first day in its cell, the days that no granularity made of days parts.
-- Then the rows of each value in each cell, and how many are first of their respondent in a
-- granule.
-- Yields: days, cells
-- Reads: sorted, found
-- Takes: granularities

step days_met when len(tanon._from_days(granularities)) > 0
    select
        tanon_day
        {for g in tanon._of_calendar(granularities) joined by ''}
        , max(tanon_granule) filter (where tanon_name = {g}) as {tanon._column_of(g, 'granule')}
        {end}
    from (
        {if len(tanon._of_calendar(granularities)) > 0}
        select
            (tanon._us_since_year_1(tanon_first) // 86400000000)::integer as tanon_day,
            tanon_name, tanon_granule
        from {found}
        {else}
        select (tanon_beat // {tanon._beats_of_day_text(granularities)})::integer as tanon_day
        from {sorted}
        {end}
    )
    group by tanon_day
end

step granules_of_days when len(tanon._from_days(granularities)) > 0
    select
        tanon_day
        {for g in tanon._of_days(granularities) joined by ''}
        , min(tanon_dawn) over (partition by ({tanon._index_text(g)}))
            as {tanon._column_of(g, 'begin')}
        {end}
        {for g in tanon._of_calendar(granularities) joined by ''}
        , min(tanon_dawn) over (partition by {tanon._column_of(g, 'granule')})
            as {tanon._column_of(g, 'begin')}
        {end}
    from {days_met}, lateral (
        select
            tanon._since_year_1(tanon_day * 86400000000) as tanon_t,
            tanon_day * {tanon._beats_of_day_text(granularities)} as tanon_dawn
    )
end

step days materialized when len(tanon._from_days(granularities)) > 0
    select
        *, min(tanon_day) over (partition by
            {for g in tanon._from_days(granularities) joined by ', '}
            {tanon._column_of(g, 'begin')}
            {end}
        ) as tanon_cell
    from {granules_of_days}
end

step cells materialized when len(tanon._from_days(granularities)) > 0
    select
        tanon_value, tanon_cell, count(*) as tanon_n
        {for g in tanon._from_days(granularities) joined by ''}
        , count(case when tanon_previous >= {tanon._column_of(g, 'begin')} then null else 1 end)
            as {tanon._column_of(g, 'firsts')}
        {end}
    from {sorted} join {days}
        on tanon_beat // {tanon._beats_of_day_text(granularities)} = tanon_day
    group by tanon_value, tanon_cell
end
