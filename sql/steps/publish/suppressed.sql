-- The groups that a k-anonymous release suppresses, and the granularity that would release each.
-- Yields: suppressed_groups
-- Reads: feasibility, found, groups_below_k, hidden, one_is_acceptable, rows_in_choice, tick
-- Takes: granularities, k, limits, presence, qi, suppression, ts, respondent

step rows_near materialized
    select tanon_r.*
    from {rows_in_choice} as tanon_r
    where exists (
        from {groups_below_k} as tanon_b
        where {for q in tanon._list(qi) joined by ' and '}
            tanon_r.{q:name} is not distinct from tanon_b.{q:name}
        {end}
    )
end

step elsewhere
    {for g in tanon._built(granularities) joined by ' union all '}
    select {g} as tanon_name, {qi}, tanon_granule, {respondent} as tanon_uid,
        {tanon._index_text(g)} as tanon_there
    from {rows_near}
    {end}
    {if len(tanon._of_calendar(granularities)) > 0}
    {if len(tanon._built(granularities)) > 0} union all {end}
    select tanon_g.tanon_name, {qi}, tanon_r.tanon_granule, {respondent} as tanon_uid,
        tanon_g.tanon_granule as tanon_there
    from {rows_near} as tanon_r, {tick}, {found} as tanon_g
    where tanon_g.tanon_tick = tanon._us_since_year_1(tanon_t) // tanon_width
    {end}
end

step counted_there
    select tanon_name, {qi}, tanon_there, count(distinct tanon_uid) as tanon_f
    from {elsewhere}
    group by tanon_name, {qi}, tanon_there
end

step least_there
    select e.tanon_name, {e.qi}, e.tanon_granule, min(c.tanon_f) as tanon_f
    from (
        select distinct tanon_name, {qi}, tanon_granule, tanon_there from {elsewhere}
    ) as e join {counted_there} as c
        on e.tanon_name = c.tanon_name and e.tanon_there = c.tanon_there
        {for q in tanon._list(qi) joined by ''}
        and e.{q:name} is not distinct from c.{q:name}
        {end}
    group by e.tanon_name, {e.qi}, e.tanon_granule
end

step keepers
    select {qi}, tanon_granule,
        arg_min(tanon_name, (tanon_length, tanon_name)) as tanon_kept_by
    from {least_there} join {feasibility} using (tanon_name)
    where tanon_f >= {k} and tanon_reason is null
    group by {qi}, tanon_granule
end

step labels_near
    select tanon_granule, any_value(tanon_label) as tanon_label from {rows_near} group by all
end

piece suppressed_groups
select
    {b.qi}, {if ts is not null}n_.tanon_label as {ts},{end}
    tanon_frequency as frequency, tanon_tuples as tuples,
    case when tanon_frequency < {k} then 'fewer than ' || {k} || ' respondents'
        {if limits is null}else 'too seldom in population'{else}
        else 'outside limits' {if presence is not null}|| ' or too seldom in population'{end}{end}
        end as reason
    {if suppression = 'cells'}
    , case when tanon_mask is not null then
        list_filter({qi:text}, lambda q, i: tanon_mask & (1 << (i - 1)) <> 0) end as cells
    {end}
    {if ts is not null and limits is null and presence is null}, tanon_kept_by as kept_by{end}
from {hidden} as b
{if ts is not null}
join {labels_near} as n_ on b.tanon_granule = n_.tanon_granule
{if limits is null and presence is null}
left join {keepers} as k_
    on b.tanon_granule = k_.tanon_granule
    {for q in tanon._list(qi) joined by ''}
    and b.{q:name} is not distinct from k_.{q:name}
    {end}
{end}
{end}
where {checked one_is_acceptable}
end
