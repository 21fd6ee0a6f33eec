{# Each row as the codes of its values on all levels, and of its time in all granularities. A
   respondent with a single row needs no name: such respondents add up when groups merge. #}
tanon_times as materialized (
    {if ts is null}
    select 1 as tanon_place, null::varchar as tanon_name
    {else}
    select row_number() over (order by tanon_length, tanon_name) as tanon_place, tanon_name
    from tanon_feasibility
    where tanon_reason is null
    {end}
),
tanon_summits as materialized (
    select coalesce(list(tanon_place order by tanon_place), []) as tanon_places
    from tanon_times
    {if ts is not null}
    where tanon_name not in (
        select tanon_fine from tanon_finer
        where tanon_coarse in (select tanon_name from tanon_times)
    )
    {end}
),
tanon_counts as not materialized (
    select {uid} as tanon_who, count(*) as tanon_n from {source} group by all
),
tanon_coded as materialized (
    select
        {for q in tanon._list(qi) joined by ''}
        {q:dictionary}.tanon_codes as {q:name},
        {end}
        case when tanon_n > 1 then tanon_who end as tanon_who,
        {if ts is null}
        [0] as tanon_time
        {else}
        list_select([
            {for g in tanon._built(granularities) joined by ', '}({g:index_text})::bigint{end}
            {for g in tanon._of_calendar(granularities) joined by ''}
            {if len(tanon._built(granularities)) > 0 or g <> tanon._of_calendar(granularities)[1]}
            ,
            {end}
            {g:found}.tanon_granule
            {end}
        ], tanon_sequence) as tanon_time
        {end}
    from {if ts is null}{source}{else}tanon_timed{end} as tanon_s
    join tanon_counts on tanon_s.{uid} = tanon_who
    {for q in tanon._list(qi) joined by ''}
    join {q:dictionary} on tanon_s.{q:name} is not distinct from {q:dictionary}.tanon_raw
    {end}
    {if ts is not null}
    , (
        select list(list_position([
            {for g in tanon._built_first(granularities) joined by ', '}{g}{end}
        ], tanon_name) order by tanon_place) as tanon_sequence
        from tanon_times
    )
    {for g in tanon._of_calendar(granularities) joined by ''}
    join (select tanon_tick, tanon_granule from tanon_found where tanon_name = {g}) as {g:found}
        on {g:found}.tanon_tick = (epoch_us(tanon_t) + 62135596800000000)
            // (select tanon_width from tanon_tick)
    {end}
    {end}
),
