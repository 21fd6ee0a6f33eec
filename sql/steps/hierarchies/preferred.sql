-- Nodes with what speaks for each, and which of the minimal ones is preferred. Without a preference
-- the one with the fewest bits lost is. With one, gen_s, discernibility and bits decide between
-- equals. The lower levels in the order of qi, the shorter granularity and its name decide last.
-- Yields: best_first, preferred_nodes, weighed
-- Reads: bits_of_nodes, lattice, minimal_nodes, row_count, times
-- Takes: qi, choose_by

use node_bits = bits_of_nodes(nodes = nodes)

step weighed(nodes)
    select
        {for q in tanon._list(qi) joined by ''}tanon_at.{q:name}::integer as {q:name}, {end}
        tanon_name, tanon_place, tanon_m, coalesce(tanon_s, 0) as tanon_s,
        coalesce(tanon_groups, 0) as tanon_groups, tanon_suppressed,
        coalesce(tanon_suppressed / tanon_rows_of_all, 0) as tanon_share,
        coalesce(tanon_squares + tanon_suppressed * tanon_rows_of_all, 0)::bigint
            as tanon_discernibility,
        coalesce(tanon_bits, 0) as tanon_bits
    from {nodes} join {lattice} as tanon_at using (tanon_node)
    join {times} using (tanon_place) left join {node_bits} using (tanon_node), {row_count}
end

piece best_first
order by {tanon._preference_text(choose_by)}
            {for q in tanon._list(qi) joined by ''}{q:name} asc nulls last, {end}
            tanon_place asc nulls last
end

use minimal_weighed = weighed(nodes = minimal_nodes)

step preferred_nodes materialized
    select *, row_number() over ({best_first}) = 1 as tanon_is_preferred
    from {minimal_weighed}
end
