{# Groups of one granularity after the other. Those whose granules are made of days are summed up
   from cells, which are the days themselves where days are offered; for those that part days the
   rows are read again; for a calendar that parts even beats, the rows as they came. #}
{if len(tanon._from_days(granularities)) > 0}
{% include "fragments/time/cells.sql" %}
{end}
tanon_measured as materialized (
    {for g in tanon._splitting_days(granularities) joined by ' union all '}
    select
        {g} as tanon_name,
{% include "fragments/time/measures.sql" %}
    from (
        select
            count(*) as tanon_n,
            count(case when tanon_granule_before = tanon_granule then null else 1 end) as tanon_f
        from (select tanon_value, {g:granules_text of granularities} from tanon_sorted)
        where (select tanon_reason is null from tanon_feasibility where tanon_name = {g})
        group by tanon_value, tanon_granule
    )
    {end}
    {if len(tanon._splitting_days(granularities)) > 0 and len(tanon._from_days(granularities)) > 0}
    union all
    {end}
    {for g in tanon._from_days(granularities) joined by ' union all '}
    select
        {g} as tanon_name,
{% include "fragments/time/measures.sql" %}
    from (
        {if g = 'day'}
        select tanon_n, {g:firsts} as tanon_f from tanon_cells
        {else}
        select sum(tanon_n)::bigint as tanon_n, sum({g:firsts})::bigint as tanon_f
        from tanon_cells join tanon_days on tanon_cells.tanon_cell = tanon_day
        {if not tanon._is_granularity(g)}
        where (select tanon_width = 86400000000 from tanon_tick)
        {end}
        group by tanon_value, {g:begin}
        {end}
        {if not tanon._is_granularity(g)}
        union all
        select
            count(*), count(case when tanon_previous >= (epoch_us(tanon_starts) + 62135596800000000)
                // {granularities:beat_width_text} then null else 1 end)
        from tanon_sorted, tanon_tick, tanon_found
        where tanon_name = {g} and tanon_found.tanon_tick
            = tanon_beat // nullif(tanon_width // {granularities:beat_width_text}, 0)
            and tanon_width < 86400000000 and tanon_width % {granularities:beat_width_text} = 0
            and (select tanon_reason is null from tanon_feasibility where tanon_name = {g})
        group by tanon_value, tanon_granule
        union all
        select count(*), count(distinct {tanon_s.uid})
        from tanon_timed as tanon_s, tanon_tick, tanon_found
        where tanon_name = {g} and tanon_found.tanon_tick
            = (epoch_us(tanon_s.tanon_t) + 62135596800000000) // tanon_width
            and tanon_width % {granularities:beat_width_text} <> 0
            and (select tanon_reason is null from tanon_feasibility where tanon_name = {g})
        group by {tanon_s.qi,} tanon_granule
        {end}
    )
    {end}
),
