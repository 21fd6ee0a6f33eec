{# The least granularity, shorter ones and then the alphabet first, and the rows placed in it:
   tanon_rows with the label and the number of each row's granule, tanon_below with the groups of
   too few respondents. #}
{% include "fragments/time/least.sql" %},
tanon_chosen as materialized (
    select tanon_name
    from tanon_least
    where (select coalesce(bool_and(tanon_fine), true) from tanon_none)
    order by tanon_length, tanon_name
    limit 1
),
tanon_found_one as (
    select error({function} || ': granularities must hold one that leaves at most '
        || {max_suppression} || ' of the rows in groups of fewer than ' || {k}
        || ' respondents, got none for ' || tanon_rows
        || ' rows; tanon.granularity_metrics tells how far each is')::boolean as tanon_fine
    from tanon_span
    where (select count(*) = 0 from tanon_chosen)
),
tanon_rows as not materialized (
    {if len(tanon._built(granularities)) > 0}
    select
        tanon_timed.*,
        case tanon_name
            {for g in tanon._built(granularities) joined by ''}
            when {g} then {g:index_text}
            {end}
        end as tanon_granule,
        case tanon_name
            {for g in tanon._built(granularities) joined by ''}
            when {g} then tanon._label(tanon_t, {g})
            {end}
        end as tanon_label
    from tanon_timed, tanon_chosen
    where list_contains([{for g in tanon._built(granularities) joined by ', '}{g}{end}]::varchar[],
        tanon_name)
    {end}
    {if len(tanon._of_calendar(granularities)) > 0}
    {if len(tanon._built(granularities)) > 0} union all {end}
    select tanon_timed.*, tanon_found.tanon_granule, tanon_found.tanon_label
    from tanon_timed, tanon_tick, tanon_found join tanon_chosen using (tanon_name)
    where tanon_found.tanon_tick
        = (epoch_us(tanon_timed.tanon_t) + 62135596800000000) // tanon_width
    {end}
),
tanon_below as materialized (
    select {qi}, tanon_granule, count(*) as tanon_frequency, sum(tanon_n)::bigint as tanon_tuples
    from (
        select {qi}, tanon_granule, {uid} as tanon_uid, count(*) as tanon_n
        from tanon_rows
        group by {qi}, tanon_granule, {uid}
    )
    group by {qi}, tanon_granule
    having count(*) < {k}
),
