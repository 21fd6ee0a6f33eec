-- The groups of some nodes of the lattice among some rows, each with its rows, its respondents, and
-- whether it is within limits, of diversity and of presence in a population.
-- Yields: node_aims, groups_of_rows, groups_at_nodes
-- Reads: base_rows, group_figures, groups_in_population, ladders, lattice, regulars, wide_ladders
-- Takes: qi, ts, limits, presence, k

-- The groups of some nodes with respondents and with how their sensitive values differ; each
-- respondent counts once for each value, in a group and in the whole table. Whoever knows who is in
-- a group of k or more and does not find it learns that it is outside the limits: what a node
-- leaves out so is one group more, and tanon_tells has each k for which that is outside as well.

step shares_of_all materialized
    select tanon_value, tanon_n / sum(tanon_n) over () as tanon_p
    from (
        select
            tanon_value, coalesce(sum(tanon_n) filter (where tanon_who is null), 0)
                + count(distinct tanon_who) as tanon_n
        from {base_rows}
        group by tanon_value
    )
end

use figures_of_nodes = group_figures(counts = tanon_values_met, shares = shares_of_all)
use figures_left_out = group_figures(counts = tanon_values_left_out, shares = shares_of_all)

piece diverse_groups_of_nodes(rows, aims)
            with tanon_seen as materialized (
                select
                    [tanon_node,
                        {for q in tanon._list(qi) joined by ''}
                        tanon_a.{q:name}[tanon_b.{q:name}],
                        {end}
                        tanon_a.tanon_time[tanon_b.tanon_time]] as tanon_group,
                    tanon_who, tanon_value, sum(tanon_n)::bigint as tanon_n
                from {rows} as tanon_b, {aims} as tanon_a
                group by all
            ),
            tanon_values_met as materialized (
                select
                    tanon_group, tanon_value,
                    sum(case when tanon_who is null then tanon_n else 1 end) as tanon_n
                from tanon_seen
                group by all
            ),
            tanon_judged as materialized (
                select
                    tanon_group, tanon_n, tanon_f, {tanon._limits_text(limits)} as tanon_holds,
                    true{tanon._limit_holds(limits, 'distinct_l')} as tanon_is_varied
                from (
                    select
                        tanon_group, sum(tanon_n)::bigint as tanon_n,
                        (coalesce(sum(tanon_n) filter (where tanon_who is null), 0)
                            + count(distinct tanon_who))::bigint as tanon_f
                    from tanon_seen
                    group by tanon_group
                ) join (
                    {figures_of_nodes}
                ) using (tanon_group)
            ),
            tanon_values_left_out as materialized (
                select
                    [tanon_s.tanon_group[1], tanon_k] as tanon_group, tanon_value,
                    coalesce(sum(tanon_s.tanon_n) filter (where tanon_who is null), 0)
                        + count(distinct tanon_who) as tanon_n
                from tanon_seen as tanon_s join tanon_judged using (tanon_group),
                    (select unnest({tanon._numbers_text(k)}) as tanon_k)
                where not tanon_holds and tanon_f >= tanon_k
                group by all
            )
            select
                tanon_group[1] as tanon_node,
                {for q in tanon._list(qi) joined by ''}
                tanon_group[1 + {tanon._position_text(q, qi)}] as {q:name},
                {end}
                tanon_group[-1] as tanon_time, tanon_n, tanon_f, tanon_holds, tanon_is_varied,
                coalesce(tanon_tells, []) as tanon_tells
            from tanon_judged left join (
                select tanon_group[1] as tanon_node, list(tanon_group[2]) as tanon_tells
                from (
                    {figures_left_out}
                )
                where not ({tanon._limits_text(limits)})
                group by tanon_node
            ) as tanon_t on tanon_t.tanon_node = tanon_group[1]
end

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
