-- The least granularity, shorter ones and then the alphabet first, the rows placed in it, each with
-- the label and the number of its granule, and the groups of too few respondents.
-- Yields: groups_below_k, one_is_acceptable, rows_at, rows_in_chosen
-- Reads: found, least, span, tick, timed
-- Takes: uid, qi, granularities, k, max_suppression

step chosen_granularity materialized
    select tanon_name from {least} order by tanon_length, tanon_name limit 1
end

guard one_is_acceptable on rows_in_chosen
    select 'granularities must hold one that leaves at most ' || {max_suppression}
        || ' of the rows in groups of fewer than ' || {k} || ' respondents, got none for '
        || tanon_rows || ' rows; tanon.granularity_metrics tells how far each is'
    from {span}
    where (select count(*) = 0 from {chosen_granularity})
end

use rows_in_chosen = rows_at(chosen = chosen_granularity)

step rows_at(chosen) not materialized
    {if len(tanon._built(granularities)) > 0}
    select
        tanon_s.*,
        case tanon_name
            {for g in tanon._built(granularities) joined by ''}
            when {g} then {tanon._index_text(g)}
            {end}
        end as tanon_granule,
        case tanon_name
            {for g in tanon._built(granularities) joined by ''}
            when {g} then tanon._label(tanon_t, {g})
            {end}
        end as tanon_label
    from {timed} as tanon_s, {chosen}
    where list_contains([{for g in tanon._built(granularities) joined by ', '}{g}{end}]::varchar[],
        tanon_name)
    {end}
    {if len(tanon._of_calendar(granularities)) > 0}
    {if len(tanon._built(granularities)) > 0} union all {end}
    select tanon_s.*, tanon_g.tanon_granule, tanon_g.tanon_label
    from {timed} as tanon_s, {tick},
        {found} as tanon_g join {chosen} using (tanon_name)
    where tanon_g.tanon_tick = tanon._us_since_year_1(tanon_s.tanon_t) // tanon_width
    {end}
end

step groups_below_k materialized
    select {qi}, tanon_granule, count(*) as tanon_frequency, sum(tanon_n)::bigint as tanon_tuples
    from (
        select {qi}, tanon_granule, {uid} as tanon_uid, count(*) as tanon_n
        from {rows_in_chosen}
        group by {qi}, tanon_granule, {uid}
    )
    group by {qi}, tanon_granule
    having count(*) < {k}
end
