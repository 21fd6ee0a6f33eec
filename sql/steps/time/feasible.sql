-- Which of the offered granularities cover all times, and from when to when these are.
-- Yields: span, feasibility
-- Reads: timed, offer, found
-- Takes: granularities
-- Merges: sum span.tanon_rows, min span.tanon_first, max span.tanon_last, or span.tanon_is_date,
--   min span.tanon_weekend, min span.tanon_late, min uncovered.tanon_gap

step span materialized
    select
        count(*) as tanon_rows, min(tanon_t) as tanon_first, max(tanon_t) as tanon_last,
        coalesce(bool_or(tanon_is_date), false) as tanon_is_date,
        {if list_has_any(tanon._list(granularities), ['business_day', 'business_week'])}
        min(tanon_t) filter (where isodow(tanon_t) > 5)
        {else}
        null::timestamp
        {end}
        as tanon_weekend,
        min(tanon_t) filter (where tanon_t >= timestamp '10000-01-01') as tanon_late
    from {timed}
end

step uncovered
    select
        tanon_name,
        case
            when tanon_first < timestamp '0001-01-01' then tanon_first
            when tanon_kind in ('business_day', 'business_week')
                then least(tanon_weekend, tanon_late)
            else tanon_late
        end as tanon_gap
    from {offer}, {span}
    where tanon_kind <> 'calendar'
    {if len(tanon._of_calendar(granularities)) > 0}
    union all
    select tanon_name, min(tanon_first)
    from {found}
    where tanon_granule is null
    group by tanon_name
    {end}
end

step feasibility materialized
    select
        tanon_name, tanon_length, tanon_place,
        case
            when tanon_is_date and tanon_kind = 'us' and tanon_width % 86400000000 <> 0
                then 'its granules are shorter than the days of a DATE such as '
                    || tanon_first::date
            when tanon_gap is not null then 'no granule covers '
                || case when tanon_is_date then tanon_gap::date::varchar
                    else tanon_gap::varchar end
        end as tanon_reason
    from {offer} left join {uncovered} using (tanon_name), {span}
end
