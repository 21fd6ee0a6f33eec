-- What each granularity would leave out at the levels that are chosen, groups below k alone.
-- Yields: judged_told, sizes_told
-- Reads: all_measured, coded, feasibility, found, judged_by, sizes_offered, tick
-- Takes: ts, granularities, hierarchies, prefer, limits, presence

step sizes_told materialized
    {if tanon._is_searched(ts, hierarchies, prefer, limits, presence)}
    select tanon_name, tanon_f, count(*) as tanon_groups, sum(tanon_n)::bigint as tanon_tuples
    from (
        {for g in tanon._built(granularities) joined by ' union all '}
        select {g} as tanon_name, count(distinct tanon_person) as tanon_f, count(*) as tanon_n
        from {coded}
        where (select tanon_reason is null from {feasibility} where tanon_name = {g})
        group by tanon_plain, ({tanon._index_text(g)})
        {end}
        {if len(tanon._of_calendar(granularities)) > 0}
        {if len(tanon._built(granularities)) > 0} union all {end}
        select tanon_name, count(distinct tanon_person) as tanon_f, count(*) as tanon_n
        from {coded} as tanon_c, {tick}, {found} as tanon_g join {feasibility} using (tanon_name)
        where tanon_g.tanon_tick = tanon._us_since_year_1(tanon_t) // tanon_width
            and tanon_reason is null
        group by tanon_name, tanon_plain, tanon_g.tanon_granule
        {end}
    )
    group by tanon_name, tanon_f
    {else}
    from {sizes_offered}
    {end}
end

use measured_told = all_measured(sizes = sizes_told)
use judged_told = judged_by(measured = measured_told)
