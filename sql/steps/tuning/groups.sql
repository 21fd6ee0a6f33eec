-- The groups of what is chosen, each in the releases that keep it, and how exposed respondents are
-- there: somebody is as exposed as in the smallest of their groups.
-- Yields: chosen_aims, chosen_groups, risk_of_releases
-- Reads: base_rows, groups_at_nodes, node_aims, releases
-- Takes: qi

step nodes_chosen
    select distinct tanon_node from {releases}
end

use aims_of_chosen = node_aims(chosen = nodes_chosen)

step chosen_aims materialized
    {aims_of_chosen}
end

use groups_of_chosen = groups_at_nodes(rows = base_rows, aims = chosen_aims)

step chosen_groups materialized
    select *, row_number() over () as tanon_group
    from (
        {groups_of_chosen}
    ) as g
    where tanon_holds and tanon_f >= (
        select min(tanon_k) from {releases} as r where r.tanon_node = g.tanon_node
    )
end

-- Respondents with several rows, by the groups that they are in.
step members_of_chosen materialized
    select g.tanon_node, tanon_group, tanon_who, tanon_f
    from (
        select distinct
            tanon_node,
            {for q in tanon._list(qi) joined by ''}
            tanon_a.{q:name}[tanon_b.{q:name}] as {q:name},
            {end}
            tanon_a.tanon_time[tanon_b.tanon_time] as tanon_time, tanon_who
        from {base_rows} as tanon_b, {chosen_aims} as tanon_a
        where tanon_who is not null
    ) as m join {chosen_groups} as g
        on g.tanon_node = m.tanon_node and g.tanon_time = m.tanon_time
        {for q in tanon._list(qi) joined by ''}and g.{q:name} = m.{q:name} {end}
end

-- Respondents with a single row are the rest of each group.
step exposed_in_releases
    select tanon_release, tanon_f, sum(tanon_n)::bigint as tanon_n
    from (
        select tanon_release, tanon_f, count(*) as tanon_n
        from (
            select tanon_release, tanon_who, min(tanon_f) as tanon_f
            from {releases} as r join {members_of_chosen} as m using (tanon_node)
            where tanon_f >= tanon_k
            group by tanon_release, tanon_who
        )
        group by tanon_release, tanon_f
        union all
        select tanon_release, tanon_f, sum(tanon_f - coalesce(tanon_regulars, 0))
        from {releases} as r join {chosen_groups} as g using (tanon_node) left join (
            select tanon_group, count(*) as tanon_regulars from {members_of_chosen} group by all
        ) using (tanon_group)
        where tanon_f >= tanon_k
        group by tanon_release, tanon_f
    )
    group by tanon_release, tanon_f
end

step risk_of_releases
    select
        tanon_release, sum(tanon_n)::bigint as tanon_people,
        coalesce(sum(tanon_n) filter (where tanon_f < 5), 0) / sum(tanon_n) as tanon_below_5,
        coalesce(sum(tanon_n) filter (where tanon_f < 11), 0) / sum(tanon_n) as tanon_below_11,
        list_sum(list(
            tanon_n / tanon_f order by tanon_f asc nulls last
        )) / sum(tanon_n) as tanon_mean
    from {exposed_in_releases}
    where tanon_n > 0
    group by tanon_release
end
