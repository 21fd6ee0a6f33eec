{# The feasible granularities, placed, and the moments that they can tell apart, numbered: ticks of
   the widest kind at whose multiples all their granules begin and end. #}
tanon_times as materialized (
    {if ts is null}
    select 1 as tanon_place, null::varchar as tanon_name
    {else}
    select row_number() over (order by tanon_length, tanon_name) as tanon_place, tanon_name
    from tanon_feasibility
    where tanon_reason is null
    {end}
),
{if ts is not null}
tanon_beat as materialized (
    select list_reduce(
        list_concat([86400000000], list(abs(tanon_width)), list(abs(tanon_begin))
            {if len(tanon._of_calendar(granularities)) > 0}
            , (select list(tanon_width) from tanon_tick)
            {end}
        ), lambda a, b: gcd(a, b)
    ) as tanon_us
    from tanon_offer
    where tanon_kind = 'us' and tanon_name in (select tanon_name from tanon_times)
),
tanon_moments as materialized (
    select *, (row_number() over (order by tanon_beat_number))::integer as tanon_number
    from (
        select
            (epoch_us(tanon_t) + 62135596800000000) // tanon_us as tanon_beat_number,
            min(tanon_t) as tanon_t, count(*) as tanon_n
        from tanon_timed, tanon_beat
        group by tanon_beat_number
    )
),
tanon_placed as (
    select tanon_number, tanon_n, tanon_place, tanon_granule
    from (
        select
            tanon_number, tanon_n,
            unnest([
                {for g in tanon._built(granularities) joined by ', '}{g}{end}
            ]::varchar[]) as tanon_name,
            unnest([
                {for g in tanon._built(granularities) joined by ', '}({g:index_text}){end}
            ]::bigint[]) as tanon_granule
        from tanon_moments
        {if len(tanon._of_calendar(granularities)) > 0}
        union all
        select tanon_number, tanon_n, tanon_name, tanon_granule
        from tanon_tick, tanon_moments join tanon_found
            on tanon_found.tanon_tick = (epoch_us(tanon_t) + 62135596800000000) // tanon_width
        {end}
    ) join tanon_times using (tanon_name)
),
{end}
