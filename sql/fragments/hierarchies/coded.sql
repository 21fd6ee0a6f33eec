{# What each value and each moment becomes on each level, as numbers; the table as such numbers. A
   respondent with a single row needs no name: such respondents add up when groups merge. #}
tanon_marks as materialized (
    select
        tanon_attribute, tanon_level, tanon_number, tanon_n,
        (dense_rank() over (
            partition by tanon_attribute, tanon_level order by tanon_general nulls first
        ))::integer as tanon_code
    from tanon_paths
    where (select coalesce(bool_and(tanon_fine), true) from tanon_hierarchy_errors)
        and (select fine from tanon_hierarchies_is_fine)
    {if ts is not null}
    union all
    select
        {ts:text}, tanon_place, tanon_number, tanon_n,
        (dense_rank() over (partition by tanon_place order by tanon_granule))::integer
    from tanon_placed
    {end}
),
tanon_ladders as materialized (
    select
        {for q in tanon._list(qi) joined by ', '}
        list(tanon_codes order by tanon_level) filter (where tanon_attribute = {q}) as {q:name}
        {end}
        {if ts is not null}
        , list(tanon_codes order by tanon_level) filter (where tanon_attribute = {ts:text})
            as tanon_time
        {end}
    from (
        select
            tanon_attribute, tanon_level,
            list(tanon_code order by tanon_number) as tanon_codes
        from tanon_marks
        group by all
    )
),
tanon_regulars as materialized (
    select tanon_uid, (row_number() over ())::integer as tanon_who
    from (
        select {uid} as tanon_uid from {source} group by {uid} having count(*) > 1
    )
),
tanon_coded as materialized (
    select
        {for q in tanon._list(qi) joined by ''}
        {q:dictionary}.tanon_number as {q:name},
        {end}
        {if ts is not null}tanon_moments.tanon_number{else}1{end} as tanon_time, tanon_who,
        1 as tanon_n
    from {if ts is null}{source}{else}tanon_timed{end} as tanon_s
    {for q in tanon._list(qi) joined by ''}
    join {q:dictionary} on tanon_s.{q:name} is not distinct from {q:dictionary}.tanon_raw
    {end}
    {if ts is not null}
    join tanon_beat on true
    join tanon_moments
        on (epoch_us(tanon_s.tanon_t) + 62135596800000000) // tanon_us = tanon_beat_number
    {end}
    left join tanon_regulars on tanon_s.{uid} = tanon_uid
),
