-- Which of the offered granularities cover all times, and from when to when these are.
-- Yields: span, feasibility
-- Reads: timed, offer, found
-- Takes: granularities

step span materialized
    select
        count(*) as tanon_rows, min(tanon_t) as tanon_first, max(tanon_t) as tanon_last,
        coalesce(bool_or(tanon_is_date), false) as tanon_is_date,
        min(tanon_t) filter (where tanon_t >= timestamp '10000-01-01') as tanon_late
    from {timed}
end

step uncovered
    select tanon_name, min(tanon_t) as tanon_gap
    from (
        select
            tanon_name,
            case when tanon_first < timestamp '0001-01-01' then tanon_first else tanon_late end
                as tanon_t
        from {offer}, {span}
        where tanon_unit <> 'calendar'
        {for g in tanon._with_gaps(granularities) joined by ''}
        union all
        select {g}, tanon_t from {timed} where ({tanon._index_text(g)}) is null
        {end}
        {if len(tanon._of_calendar(granularities)) > 0}
        union all
        select tanon_name, tanon_first from {found} where tanon_granule is null
        {end}
    )
    group by tanon_name
end

step feasibility materialized
    select
        tanon_name, tanon_length, tanon_place,
        case
            when tanon_is_date and tanon_beat_us < 86400000000
                then 'its granules are shorter than the days of a DATE such as '
                    || tanon_first::date
            when tanon_gap is not null then 'no granule covers '
                || case when tanon_is_date then tanon_gap::date::varchar
                    else tanon_gap::varchar end
        end as tanon_reason
    from {offer} left join {uncovered} using (tanon_name), {span}
end
