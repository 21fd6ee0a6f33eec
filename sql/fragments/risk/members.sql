{# tanon_members: who is in which group, in each feasible granularity; of the source, and of the
   population if there is one. #}
tanon_{{ who }}members as materialized (
    {for g in tanon._built(granularities) joined by ' union all '}
    select {g} as tanon_name, {qi}, {g:index_text} as tanon_granule, {uid} as tanon_uid
    from {{ rows }}
    where (select tanon_reason is null from tanon_feasibility where tanon_name = {g})
    group by {qi}, tanon_granule, {uid}
    {end}
    {if len(tanon._of_calendar(granularities)) > 0}
    {if len(tanon._built(granularities)) > 0} union all {end}
    select tanon_g.tanon_name, {qi}, tanon_granule, {uid} as tanon_uid
    from {{ rows }} join tanon_feasibility as tanon_f
        on tanon_reason is null and tanon_f.tanon_name in (select tanon_name from tanon_granules)
    asof join tanon_granules as tanon_g
        on tanon_f.tanon_name = tanon_g.tanon_name and tanon_t >= tanon_starts
    where tanon_t < tanon_ends
    group by tanon_g.tanon_name, {qi}, tanon_granule, {uid}
    {end}
),
tanon_{{ who }}sizes as materialized (
    select tanon_name, {qi}, tanon_granule, count(*) as tanon_f
    from tanon_{{ who }}members
    group by tanon_name, {qi}, tanon_granule
),
