-- The metrics of some nodes of the lattice among some rows.
-- Yields: node_measures
-- Reads: groups_at_nodes
-- Takes: k, limits, presence

use groups_to_measure = groups_at_nodes(rows = rows, aims = aims)

-- tanon_sunk is what is left out whatever values are asked for: with it, all below fails too.
-- tanon_tells is whether what limits leave out is outside them.
piece node_measures(rows, aims)
        select
            tanon_node,
            min(tanon_f) filter (where {kept_here}) as tanon_m,
            coalesce(sum(tanon_f) filter (where {kept_here}), 0)::bigint as tanon_s,
            count(*) as tanon_groups,
            coalesce(sum(tanon_n) filter (where not ({kept_here})), 0)::bigint as tanon_suppressed,
            coalesce(sum(tanon_n * tanon_n) filter (where {kept_here}), 0) as tanon_squares,
            coalesce(sum(tanon_n * tanon_n), 0) as tanon_squares_of_all,
            coalesce(sum(tanon_n) filter (where tanon_f < {k}
                {if limits is not null or presence is not null}
                or not tanon_is_varied{end}), 0)::bigint as tanon_sunk,
            {if limits is null}false{else}bool_or(list_contains(tanon_tells, {k})){end}
                as tanon_tells
        from (
            {groups_to_measure}
        )
        group by tanon_node
end

piece kept_here
tanon_f >= {k}{if limits is not null or presence is not null} and tanon_holds{end}
end
