-- Nodes are measured one after the other, each for all settings at once: how many groups there are
-- of each size. In a setting nothing is looked at above a node of the offer that passes, and below
-- one that fails as far as that says anything. The next is the node that settles most, whether it
-- passes or fails.
-- Yields: it_tells, settled, sizes_listed, sizes_of_next, sweep
-- Reads: base_rows, groups_at_nodes, node_aims, nodes_offered, repeaters, row_count,
--   settings_tried
-- Takes: limits

use aims_of_next = node_aims(chosen = tanon_pick)
use groups_of_next = groups_at_nodes(rows = base_rows, aims = tanon_aims)

-- Of the groups of what tanon_aims says.
piece sizes_of_next
select
                tanon_f, tanon_holds, tanon_is_varied,
                {if limits is not null}tanon_tells,{end} sum(tanon_n)::bigint as tanon_n,
                count(*) as tanon_groups, sum(tanon_n * tanon_n) as tanon_squares
            from (
                {groups_of_next}
            )
            group by all
end

-- Whether what limits leave out at this k is outside them.
piece it_tells
{if limits is null}false{else}list_contains(tanon_tells, tanon_k){end}
end

piece sizes_listed
(
                select list({
                    'f': tanon_f, 'n': tanon_n, 'holds': tanon_holds, 'groups': tanon_groups,
                    'squares': tanon_squares
                }) from tanon_groups
            )
end

step sweep recursive
    select
        tanon_k, tanon_share, tanon_offer, tanon_node, tanon_mask, tanon_is_top,
        null::boolean as tanon_ok,
        null::struct(f bigint, n bigint, holds boolean, groups bigint, squares hugeint)[]
            as tanon_sizes
    from {settings_tried}, {nodes_offered}
    union all
    (
        with tanon_open as materialized (from {sweep} where tanon_ok is null),
        tanon_near as materialized (
            select tanon_node from tanon_open group by tanon_node
            order by hash(tanon_node) asc nulls last, tanon_node asc nulls last limit 24
        ),
        tanon_pick as materialized (
            select p.tanon_node, p.tanon_mask
            from tanon_open as p join tanon_open as o using (tanon_k, tanon_share, tanon_offer)
            where p.tanon_node in (from tanon_near)
            group by p.tanon_node, p.tanon_mask
            order by
                least(
                    count(*) filter (p.tanon_mask & o.tanon_mask = p.tanon_mask),
                    count(*) filter (p.tanon_mask & o.tanon_mask = o.tanon_mask)
                ) desc nulls last,
                p.tanon_node asc nulls last
            limit 1
        ),
        tanon_aims as materialized (
            {aims_of_next}
        ),
        tanon_groups as materialized (
            {sizes_of_next}
        ),
        tanon_verdict as materialized (
            select
                tanon_k, tanon_share,
                coalesce(sum(tanon_n) filter (where tanon_f < tanon_k or not tanon_holds), 0)
                    <= tanon_share * any_value(tanon_rows_of_all)
                    and not coalesce(bool_or({it_tells}), false) as tanon_ok,
                coalesce(sum(tanon_n) filter (where tanon_f < tanon_k or not tanon_is_varied), 0)
                    > tanon_share * any_value(tanon_rows_of_all)
                    or tanon_share = 0 and (select count(*) = 0 from {repeaters}) as tanon_sinks
            from {settings_tried} cross join {row_count} left join tanon_groups on true
            group by tanon_k, tanon_share
        )
        select
            o.* exclude (tanon_ok, tanon_sizes),
            case when o.tanon_node = p.tanon_node then v.tanon_ok end as tanon_ok,
            case when o.tanon_node = p.tanon_node then {sizes_listed} end as tanon_sizes
        from tanon_open as o join tanon_verdict as v using (tanon_k, tanon_share), tanon_pick as p
        where o.tanon_node = p.tanon_node or case
            when v.tanon_ok then o.tanon_mask & p.tanon_mask <> p.tanon_mask or not exists (
                from {nodes_offered} as n
                where n.tanon_node = p.tanon_node and n.tanon_offer = o.tanon_offer
            )
            when v.tanon_sinks then o.tanon_is_top or o.tanon_mask & p.tanon_mask <> o.tanon_mask
            else true end
    )
end

-- What each setting leaves out at each node that was looked at for it, and what it keeps.
step settled(found) materialized
    select
        s.tanon_k, s.tanon_share, tanon_offer, tanon_node, tanon_mask, tanon_ok,
        min(tanon_z.f) filter (where tanon_stays) as tanon_m,
        coalesce(sum(tanon_z.f * tanon_z.groups) filter (where tanon_stays), 0)::bigint as tanon_s,
        coalesce(sum(tanon_z.groups) filter (where tanon_stays), 0)::bigint as tanon_groups,
        coalesce(sum(tanon_z.n) filter (where not tanon_stays), 0)::bigint as tanon_suppressed,
        coalesce(sum(tanon_z.squares) filter (where tanon_stays), 0) as tanon_squares,
        coalesce(sum(tanon_z.squares), 0) as tanon_squares_of_all
    from (
        select *, tanon_z.f >= tanon_k and tanon_z.holds as tanon_stays
        from (
            select * exclude (tanon_sizes), unnest(
                case when len(tanon_sizes) > 0 then tanon_sizes else [null] end
            ) as tanon_z
            from {found}
            where tanon_ok is not null
        )
    ) as s
    group by all
end
