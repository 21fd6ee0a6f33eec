-- The choice of each setting, as tanon.publish_events would make it, and what it loses; where
-- nothing passes, how little can be left out.
-- Yields: chosen, releases
-- Reads: accepted_of_settings, best_first, bits_of_nodes, feasibility, lattice, offers_made,
--   row_count, settings_tried, settled_below, times
-- Takes: qi, ts, limits, presence

use bits_of_accepted = bits_of_nodes(nodes = accepted_of_settings)

step judged_choices
    select
        a.* exclude (tanon_mask, tanon_ok, tanon_squares, tanon_squares_of_all),
        {for q in tanon._list(qi) joined by ''}tanon_at.{q:name}::integer as {q:name}, {end}
        tanon_name, tanon_place,
        coalesce(tanon_suppressed / nullif(tanon_rows_of_all, 0), 0) as tanon_share_left_out,
        (tanon_squares + tanon_suppressed * tanon_rows_of_all)::bigint as tanon_discernibility,
        coalesce(tanon_bits, 0) as tanon_bits
    from {accepted_of_settings} as a join {lattice} as tanon_at using (tanon_node)
    join {times} using (tanon_place)
    left join {bits_of_accepted} as b
        on a.tanon_node = b.tanon_node and a.tanon_suppressed = b.tanon_left_out, {row_count}
end

step best_choices
    from {judged_choices}
    qualify row_number() over (
        partition by tanon_k, tanon_share, tanon_offer
        {best_first}
    ) = 1
end

step least_left_out
    select tanon_k, tanon_offer, min(tanon_suppressed) as tanon_least
    from {settled_below}
    group by tanon_k, tanon_offer
end

-- The offers of which no granularity covers every time, and why.
step offers_without_time
    {if ts is null}
    select null::varchar as tanon_offer, null::varchar as tanon_gaps where false
    {else}
    select
        tanon_offer, string_agg(f.tanon_name || ': ' || tanon_reason, '; '
            order by f.tanon_place asc nulls last) as tanon_gaps
    from {offers_made} join {feasibility} as f
        on tanon_names is null or list_contains(tanon_names, f.tanon_name)
    group by tanon_offer
    having bool_and(tanon_reason is not null)
    {end}
end

step chosen materialized
    select
        tanon_k, tanon_share, tanon_offer, tanon_rank,
        c.* exclude (tanon_k, tanon_share, tanon_offer),
        case
            when tanon_gaps is not null
                then 'no granularity that is offered covers every time: ' || tanon_gaps
            when tanon_node is null then 'nothing that is offered leaves out '
            || {if limits is not null or presence is not null}'as few rows'
            {else}'less than ' || tanon_least || ' of ' || tanon_rows_of_all || ' rows'{end}
            end as tanon_reason,
        tanon_rows_of_all
    from {settings_tried} cross join {offers_made} cross join {row_count}
    left join {best_choices} as c using (tanon_k, tanon_share, tanon_offer)
    left join {least_left_out} using (tanon_k, tanon_offer)
    left join {offers_without_time} using (tanon_offer)
end

step releases materialized
    select *, row_number() over (
        order by tanon_node asc nulls last, tanon_k asc nulls last
    ) - 1 as tanon_release
    from (select distinct tanon_node, tanon_k from {chosen} where tanon_node is not null)
end
