-- The rows placed in one granularity, each with the label and the number of its granule.
-- Yields: rows_at
-- Reads: found, tick, timed
-- Takes: granularities

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
