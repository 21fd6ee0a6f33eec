-- The groups of some nodes of the lattice among some rows, each with its rows, its respondents, and
-- whether it is within limits, of diversity and of presence in a population.
-- Yields: node_aims, groups_of_rows, groups_at_nodes
-- Reads: diverse_groups_of_nodes, groups_in_population, ladders, lattice, regulars,
--   wide_ladders
-- Takes: qi, ts, limits, presence

-- What each value becomes at each of the chosen nodes.
piece node_aims(chosen)
        select
            tanon_node,
            {for q in tanon._list(qi) joined by ''}
            tanon_l.{q:name}[tanon_at.{q:name} + 1] as {q:name},
            {end}
            {if ts is not null}tanon_l.tanon_time[tanon_place]{else}[1]{end} as tanon_time
            {if presence is not null}
            , [
                {for q in tanon._list(qi) joined by ', '}
                tanon_wide[{tanon._position_text(q, qi)}][tanon_at.{q:name} + 1]
                {end}
                , tanon_wide[-1][tanon_place]
            ] as tanon_wide
            {end}
        from {chosen} join {lattice} as tanon_at using (tanon_node), {ladders} as tanon_l
            {if presence is not null}, {wide_ladders}{end}
end

-- A respondent counts once in a group; those without a name have no other row. Where nobody has
-- two, rows are grouped but once, which is most of what a search costs.
piece groups_of_nodes(rows, aims)
            select
                {values_there}, sum(tanon_n)::bigint as tanon_n, sum(tanon_n)::bigint as tanon_f
            from {rows} as tanon_b, {aims} as tanon_a
            where (select count(*) = 0 from {regulars})
            group by all
            union all
            select
                * exclude (tanon_who, tanon_n), sum(tanon_n)::bigint as tanon_n,
                sum(case when tanon_who is null then tanon_n else 1 end)::bigint as tanon_f
            from (
                select
                {values_there}, tanon_who, sum(tanon_n)::bigint as tanon_n
                from {rows} as tanon_b, {aims} as tanon_a
                where (select count(*) > 0 from {regulars})
                group by all
            )
            group by all
end

piece values_there
tanon_node,
                {for q in tanon._list(qi) joined by ''}
                tanon_a.{q:name}[tanon_b.{q:name}] as {q:name},
                {end}
                tanon_a.tanon_time[tanon_b.tanon_time] as tanon_time
end

use rows_counted = groups_of_nodes(rows = rows, aims = aims)
use diverse_counted = diverse_groups_of_nodes(rows = rows, aims = aims)

piece groups_of_rows(rows, aims)
            {if limits is null}
            select *, true as tanon_holds, true as tanon_is_varied from (
            {rows_counted}
            )
            {else}
            {diverse_counted}
            {end}
end

use those_here = groups_of_rows(rows = rows, aims = aims)
use those_everywhere = groups_in_population(rows = rows, aims = aims)

piece groups_at_nodes(rows, aims)
            {if presence is null}
            {those_here}
            {else}
            {those_everywhere}
            {end}
end
