-- First the nodes are asked of their witnesses: what fails there fails, and so does all below. Of
-- those that are left the lowest are measured on all rows together, as most of them pass. Where
-- some fail, or there are no witnesses, a search on all rows goes on from there.
-- Yields: accepted, minimal_nodes, passing
-- Reads: base_rows, few_left_out, node_aims, node_measures, nodes, row_count, search, sinking,
--   witness_rows, witnesses
-- Takes: qi, k, ts, max_suppression, distance, limits

step nodes_with_witness
    select *, false as tanon_climbs from {nodes} where tanon_witness > 0
end

piece rows_of_witness
(from {witness_rows} where tanon_witness = (select tanon_witness from tanon_pick))
end

-- What is left out among some rows may tell what all that is left out does not.
use tried_on_witnesses = search(
    start = nodes_with_witness, rows = rows_of_witness, passing = few_left_out
)

step survivors materialized
    from {nodes} as n
    where not exists (
        from {tried_on_witnesses} as h
        where not h.tanon_ok and case when h.tanon_sinks
            then n.tanon_mask & h.tanon_mask = n.tanon_mask else n.tanon_node = h.tanon_node end
    )
end

step lowest materialized
    from {survivors} as n
    where tanon_witness > 0 and not exists (
        from {survivors} as o
        where o.tanon_node <> n.tanon_node and o.tanon_mask & n.tanon_mask = o.tanon_mask
    )
    order by bit_count(tanon_mask) asc nulls last, tanon_node asc nulls last
    limit 16
end

piece passing
{few_left_out} and not coalesce(tanon_tells, false)
end

use aims_of_lowest = node_aims(chosen = lowest)

step lowest_aims materialized
    {aims_of_lowest}
end

use measures_of_lowest = node_measures(rows = base_rows, aims = lowest_aims)

step lowest_measured materialized
    {measures_of_lowest}
end

step lowest_judged materialized
    select
        tanon_node, tanon_mask, tanon_m.* exclude (tanon_node),
        {passing} as tanon_ok, {sinking} as tanon_sinks
    from {lowest} left join {lowest_measured} as tanon_m using (tanon_node), {row_count}
end

step others materialized
    select *, (select count(*) > 0 from {witnesses}) as tanon_climbs
    from {survivors} as n
    where not exists (
        from {lowest_judged} as f
        where case when f.tanon_ok then n.tanon_mask & f.tanon_mask = f.tanon_mask
            when f.tanon_sinks then n.tanon_mask & f.tanon_mask = n.tanon_mask
            else n.tanon_node = f.tanon_node end
    )
end

use tried_on_all = search(start = others, rows = base_rows, passing = passing)

step accepted materialized
    from {lowest_judged} where tanon_ok
    union all by name
    select * exclude (tanon_misses, tanon_witness, tanon_climbs) from {tried_on_all} where tanon_ok
end

step minimal_nodes
    from {accepted} as n
    where not exists (
        from {accepted} as o
        where o.tanon_node <> n.tanon_node and o.tanon_mask & n.tanon_mask = o.tanon_mask
    )
end
