-- Above the minimal nodes of each setting one may leave out less and lose less: as for one setting,
-- nodes are measured there, the lowest bound first, each for all settings that still ask for it.
-- Yields: accepted_of_settings, settled_below
-- Reads: bits_at_nodes, it_tells, least_loss, loss, node_aims, nodes_offered, row_count, settled,
--   sizes_listed, sizes_of_next, sweep
-- Takes: qi, ts, max_suppression, hierarchies, prefer, limits, presence

use settled_below = settled(found = sweep)
use settled_above = settled(found = sweep_above)
use aims_above = node_aims(chosen = tanon_pick)

step accepted_below materialized
    from {settled_below} as n
    where tanon_ok and not exists (
        from {settled_below} as o
        where o.tanon_ok and o.tanon_k = n.tanon_k and o.tanon_share = n.tanon_share
            and o.tanon_offer = n.tanon_offer and o.tanon_node <> n.tanon_node
            and o.tanon_mask & n.tanon_mask = o.tanon_mask
    )
end

step least_losses materialized
    select tanon_k, tanon_share, tanon_offer, min({loss}) as tanon_best
    from {accepted_below} join {bits_at_nodes} using (tanon_node), {row_count}
    where tanon_share > 0
    group by all
end

step starts_of_settings materialized
    select
        tanon_k, tanon_share, tanon_offer, n.tanon_node, n.tanon_mask,
        max(tanon_squares_of_all)::double as tanon_below, any_value(tanon_lost) as tanon_lost,
        any_value(tanon_whole) as tanon_whole, any_value(tanon_best) as tanon_best
    from {accepted_below} as a join {least_losses} using (tanon_k, tanon_share, tanon_offer)
    join {nodes_offered} as n using (tanon_offer)
    join {bits_at_nodes} as b on b.tanon_node = n.tanon_node
    where a.tanon_mask & n.tanon_mask = a.tanon_mask and a.tanon_mask <> n.tanon_mask
    group by all
end

step sweep_above recursive
    select
        *, null::boolean as tanon_ok,
        null::struct(f bigint, n bigint, holds boolean, groups bigint, squares hugeint)[]
            as tanon_sizes
    from {starts_of_settings}
    union all
    (
        with tanon_open as materialized (
            from {sweep_above} where tanon_ok is null and {least_loss} <= tanon_best
        ),
        tanon_pick as materialized (
            select tanon_node, tanon_mask
            from tanon_open
            order by
                {least_loss} asc nulls last, bit_count(tanon_mask) asc nulls last,
                tanon_mask asc nulls last
            limit 1
        ),
        tanon_aims as materialized (
            {aims_above}
        ),
        tanon_groups as materialized (
            {sizes_of_next}
        ),
        tanon_left as materialized (
            select
                tanon_k, tanon_share, tanon_offer, tanon_lost, tanon_whole,
                coalesce(sum(tanon_n) filter (where not tanon_stays), 0) as tanon_suppressed,
                coalesce(sum(tanon_squares) filter (where tanon_stays), 0) as tanon_squares,
                bool_or(tanon_is_told) as tanon_is_told
            from (
                select
                    o.*, tanon_n, g.tanon_squares,
                    tanon_f >= tanon_k and tanon_holds as tanon_stays, {it_tells} as tanon_is_told
                from tanon_open as o join tanon_pick using (tanon_node), tanon_groups as g
            )
            group by all
        ),
        tanon_verdict as materialized (
            select
                tanon_k, tanon_share, tanon_offer, {loss} as tanon_loss,
                tanon_suppressed <= tanon_share * tanon_rows_of_all
                    and not tanon_is_told as tanon_passes
            from tanon_left, {row_count}
        )
        select
            o.tanon_k, o.tanon_share, o.tanon_offer, o.tanon_node, o.tanon_mask,
            case when o.tanon_mask & p.tanon_mask = p.tanon_mask
                then greatest(tanon_below, (select sum(tanon_squares) from tanon_groups))
                else tanon_below end,
            tanon_lost, tanon_whole,
            case when v.tanon_passes then least(tanon_best, v.tanon_loss) else tanon_best end,
            case when o.tanon_node = p.tanon_node then v.tanon_passes end,
            case when o.tanon_node = p.tanon_node then {sizes_listed} end
        from tanon_open as o left join tanon_verdict as v
            using (tanon_k, tanon_share, tanon_offer), tanon_pick as p
    )
end

step accepted_of_settings materialized
    from {accepted_below}
    {if tanon._is_searched(ts, hierarchies, prefer, limits, presence)
        and tanon._looks_above(prefer, list_max(tanon._shares(max_suppression)))}
    union all
    from {settled_above} where tanon_ok
    {end}
end
