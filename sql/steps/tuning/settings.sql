-- The settings to try, and the nodes of the lattice that each offer allows: granularities that it
-- names, and levels of attributes that it names; others stay at their lowest.
-- Yields: settings_tried, offers_made, nodes_offered
-- Reads: lattice, times
-- Takes: qi, ts, k, max_suppression, choices

step settings_tried materialized
    select tanon_k, tanon_share
    from (select unnest({k}) as tanon_k), (select unnest({max_suppression}) as tanon_share)
end

step offers_made materialized
    {if choices is null}
    select 1 as tanon_rank, 'all' as tanon_offer, null::varchar[] as tanon_names
    {else}
    select
        tanon_rank, tanon_entries[tanon_rank]['key'] as tanon_offer,
        tanon._names_listed(tanon_entries[tanon_rank]['value']) as tanon_names
    from (
        select
            map_entries({choices}) as tanon_entries,
            unnest(range(1, len(map_entries({choices})) + 1)) as tanon_rank
    )
    {end}
end

step nodes_of_offers materialized
    select tanon_offer, tanon_node, tanon_mask
    from {lattice} as tanon_at join {times} as tanon_t using (tanon_place), {offers_made}
    where tanon_names is null or true
        {if ts is not null}and list_contains(tanon_names, tanon_t.tanon_name){end}
        {for q in tanon._list(qi) joined by ''}
        and (tanon._share_a_name({q}, tanon_names)
            or tanon_at.{q:name} = (select min({q:name}) from {lattice}))
        {end}
end

-- At the top of an offer is what tells how little can be left out.
step nodes_offered materialized
    select *, not exists (
        from {nodes_of_offers} as o
        where o.tanon_offer = n.tanon_offer and o.tanon_node <> n.tanon_node
            and o.tanon_mask & n.tanon_mask = n.tanon_mask
    ) as tanon_is_top
    from {nodes_of_offers} as n
end
