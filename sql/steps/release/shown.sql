-- The rows as a release has them, still with those that it leaves out: each with numbers of its
-- values as they came, as they are at the levels that are chosen, and as they are shown. Where time
-- alone is made coarser all three are one; where no granularity is acceptable then, it is the one
-- that leaves out the least.
-- Yields: nearest_granularity, rows_at_nearest, rows_shown, values_at_levels, values_shown
-- Reads: choice, finest, hidden, judged, numbered, one_is_acceptable, rows_at, rows_at_levels,
--     rows_in_time
-- Takes: qi, ts, hierarchies, choose_by, suppression, remainder, limits, presence

step nearest_granularity materialized
    {if tanon._is_more_than_time(ts, hierarchies, choose_by, limits, presence,
        suppression, remainder)}
    select {if ts is null}null::varchar as tanon_name{else}tanon_name{end} from {choice}
    {else}
    select tanon_name
    from {judged}
    where tanon_reason is null and (tanon_name in (select tanon_name from {finest})
        or (select count(*) = 0 from {finest}))
    order by
        case when tanon_acceptable then 0 else tanon_share end asc nulls last,
        tanon_length asc nulls last,
        tanon_name asc nulls last
    limit 1
    {end}
end

use rows_at_nearest = rows_at(chosen = nearest_granularity)

step rows_with_values not materialized
    select
        tanon_s.*, tanon_v.tanon_value as tanon_raw
        {if ts is null}, null::timestamp as tanon_t{end}
    from {if tanon._is_more_than_time(
        ts, hierarchies, choose_by, limits, presence, suppression, remainder)}{rows_in_time}
        {else}{rows_at_nearest}{end} as tanon_s join {numbered} as tanon_v
        on {for q in tanon._list(qi) joined by ' and '}
            tanon_s.{q:name} is not distinct from tanon_v.{q:name}
        {end}
end

use rows_with_levels = rows_at_levels(rows = rows_with_values)

step values_at_levels materialized
    {if tanon._is_more_than_time(ts, hierarchies, choose_by, limits, presence,
        suppression, remainder)}
    select *, (row_number() over ())::integer as tanon_plain
    from (select distinct {qi} from {rows_with_levels})
    {else}
    select * rename (tanon_value as tanon_plain) from {numbered}
    {end}
end

-- A mask has a bit for each attribute that is hidden.
step rows_judged not materialized
    select
        tanon_r.*, tanon_plain, coalesce(tanon_mask, 0) as tanon_hides,
        tanon_b.tanon_granule is not null and tanon_mask is null as tanon_is_out
    from {rows_with_levels} as tanon_r join {values_at_levels} as tanon_v
        on {for q in tanon._list(qi) joined by ' and '}
            tanon_r.{q:name} is not distinct from tanon_v.{q:name}
        {end}
    left join {hidden} as tanon_b
        on {for q in tanon._list(qi) joined by ' and '}
            tanon_r.{q:name} is not distinct from tanon_b.{q:name}
        {end} and tanon_r.tanon_granule = tanon_b.tanon_granule
    where {checked one_is_acceptable}
end

step values_shown materialized
    select
        tanon_plain, tanon_hides, tanon_is_out,
        (dense_rank() over (
            order by tanon_is_out asc nulls last
                {for q in tanon._list(qi) joined by ''}
                , case when tanon_hides & {tanon._bit_text(q, qi)} <> 0 then '*'
                    else tanon._value_text({q:name}) end asc nulls first
                {end}
        ))::integer as tanon_value
    from (
        select distinct tanon_plain, tanon_hides, tanon_is_out from {rows_judged}
    ) join {values_at_levels} using (tanon_plain)
end

step rows_shown not materialized
    {if not tanon._is_more_than_time(
        ts, hierarchies, choose_by, limits, presence, suppression, remainder)}
    select *, tanon_raw as tanon_plain, tanon_raw as tanon_value, false as tanon_is_out
    from {rows_with_values}
    {else}
    {if suppression = 'cells'}
    from {rows_judged} join {values_shown} using (tanon_plain, tanon_hides, tanon_is_out)
    {else}
    select *, tanon_plain as tanon_value from {rows_judged}
    {end}
    {end}
end
