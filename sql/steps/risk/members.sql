-- Who is in which group, with how many rows, in each feasible granularity, and how many are; of the
-- source, and of the population if there is one.
-- Yields: members, sizes
-- Reads: feasibility, granules
-- Takes: respondent, qi, ts, granularities

step members(rows) materialized
    {if ts is null}
    select '' as tanon_name, {qi}, 1 as tanon_granule, {respondent} as tanon_uid,
        count(*) as tanon_n
    from {rows}
    group by {qi}, {respondent}
    {else}
    {for g in tanon._built(granularities) joined by ' union all '}
    select {g} as tanon_name, {qi}, {tanon._index_text(g)} as tanon_granule,
        {respondent} as tanon_uid,
        count(*) as tanon_n
    from {rows}
    where (select tanon_reason is null from {feasibility} where tanon_name = {g})
    group by {qi}, tanon_granule, {respondent}
    {end}
    {if len(tanon._of_calendar(granularities)) > 0}
    {if len(tanon._built(granularities)) > 0} union all {end}
    select
        tanon_g.tanon_name, {qi}, tanon_granule, {respondent} as tanon_uid, count(*) as tanon_n
    from {rows} join {feasibility} as tanon_f
        on tanon_reason is null and tanon_f.tanon_name in (select tanon_name from {granules})
    asof join {granules} as tanon_g
        on tanon_f.tanon_name = tanon_g.tanon_name and tanon_t >= tanon_starts
    where tanon_t < tanon_ends
    group by tanon_g.tanon_name, {qi}, tanon_granule, {respondent}
    {end}
    {end}
end

step sizes(of) materialized
    select tanon_name, {qi}, tanon_granule, count(*) as tanon_f
    from {of}
    group by tanon_name, {qi}, tanon_granule
end
