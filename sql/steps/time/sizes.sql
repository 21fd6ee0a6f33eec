-- How many groups of each size there are, one granularity after the other: tanon_f respondents in
-- each group, tanon_tuples rows in all of them. Groups whose granules are made of days are summed
-- up from cells, which are the days themselves where days are offered; for those that part days the
-- rows are read again; for a calendar that parts even beats, the rows as they came.
-- Yields: sizes_offered
-- Reads: cells, days, feasibility, found, sorted, tick, timed
-- Takes: respondent, qi, granularities

step sizes_offered materialized
    {for g in tanon._splitting_days(granularities) joined by ' union all '}
    select
        {g} as tanon_name,
        tanon_f, count(*) as tanon_groups, sum(tanon_n)::bigint as tanon_tuples
    from (
        select
            count(*) as tanon_n,
            count(case when tanon_granule_before = tanon_granule then null else 1 end) as tanon_f
        from (select tanon_value, {tanon._granules_text(g, granularities)} from {sorted})
        where (select tanon_reason is null from {feasibility} where tanon_name = {g})
        group by tanon_value, tanon_granule
    )
    group by tanon_f
    {end}
    {if len(tanon._splitting_days(granularities)) > 0 and len(tanon._from_days(granularities)) > 0}
    union all
    {end}
    {for g in tanon._from_days(granularities) joined by ' union all '}
    select
        {g} as tanon_name,
        tanon_f, count(*) as tanon_groups, sum(tanon_n)::bigint as tanon_tuples
    from (
        {if g = 'day'}
        select tanon_n, {tanon._column_of(g, 'firsts')} as tanon_f from {cells}
        {else}
        select
            sum(tanon_n)::bigint as tanon_n,
            sum({tanon._column_of(g, 'firsts')})::bigint as tanon_f
        from {cells} as tanon_c join {days} on tanon_c.tanon_cell = tanon_day
        {if not tanon._is_granularity(g)}
        where (select tanon_width = 86400000000 from {tick})
        {end}
        group by tanon_value, {tanon._column_of(g, 'begin')}
        {end}
        {if not tanon._is_granularity(g)}
        union all
        select
            count(*), count(case when tanon_previous >= tanon._us_since_year_1(tanon_starts)
                // {tanon._beat_width_text(granularities)} then null else 1 end)
        from {sorted}, {tick}, {found} as tanon_g
        where tanon_name = {g} and tanon_g.tanon_tick = tanon_beat
                // nullif(tanon_width // {tanon._beat_width_text(granularities)}, 0)
            and tanon_width < 86400000000
            and tanon_width % {tanon._beat_width_text(granularities)} = 0
            and (select tanon_reason is null from {feasibility} where tanon_name = {g})
        group by tanon_value, tanon_granule
        union all
        select count(*), count(distinct {tanon_s.respondent})
        from {timed} as tanon_s, {tick}, {found} as tanon_g
        where tanon_name = {g}
            and tanon_g.tanon_tick = tanon._us_since_year_1(tanon_s.tanon_t) // tanon_width
            and tanon_width % {tanon._beat_width_text(granularities)} <> 0
            and (select tanon_reason is null from {feasibility} where tanon_name = {g})
        group by {tanon_s.qi,} tanon_granule
        {end}
    )
    group by tanon_f
    {end}
end
