-- Above the minimal nodes of each setting one may leave out less and lose less: as for one setting,
-- nodes are measured there, the lowest bound first, each for all settings that still ask for it.
-- Yields: accepted_of_settings, settled_below
-- Reads: base_rows, bits_at_nodes, groups_at_nodes, least_loss, loss, node_aims, nodes_offered,
--   repeaters, row_count, settings_tried
-- Takes: qi, ts, max_suppression, hierarchies, choose_by, limits, presence

-- Nodes are measured one after the other, each for all settings at once: how many groups there are
-- of each size. In a setting nothing is looked at above a node of the offer that passes, and below
-- one that fails as far as that says anything. The next is the node that settles most, whether it
-- passes or fails.

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
    {if tanon._is_searched(ts, hierarchies, choose_by, limits, presence)
        and tanon._looks_above(choose_by, list_max(tanon._shares(max_suppression)))}
    union all
    from {settled_above} where tanon_ok
    {end}
end
