-- The nodes of which the released one is the best. What is lost by rows that stay only grows
-- upwards, so that a minimal node is the best where nothing is left out; where some may be, one
-- above may leave out less and lose less. Nodes above are measured, the lowest bound first, until
-- none is below the best; whether one passes is asked of each, as above one that does limits may
-- fail.
-- Yields: candidates, least_loss, loss
-- Reads: accepted, base_rows, bits_at_nodes, lattice, minimal_nodes, node_aims, node_measures,
--   passing, row_count
-- Takes: qi, k, ts, max_suppression, distance, limits, choose_by, presence, suppression

use aims_of_higher = node_aims(chosen = tanon_pick)
use measures_of_higher = node_measures(rows = base_rows, aims = tanon_aims)

-- By what is preferred, of a node that leaves out tanon_suppressed.
piece loss
{if tanon._is_discerned(choose_by)}(tanon_squares + tanon_suppressed * tanon_rows_of_all)::double
                {else}tanon_lost
                    + tanon_suppressed / tanon_rows_of_all * (tanon_whole - tanon_lost){end}
end

-- Below what a node can lose, by tanon_below, the squares of all groups of one below it: they grow
-- as groups merge, and a row left out counts as the whole table, not as its group. Or by the bits
-- that are lost with nothing left out, as a row left out loses more. Less what digits may be off.
piece least_loss
{if tanon._is_discerned(choose_by)}tanon_below * (1 - 1e-12)
                {else}tanon_lost * (1 - 1e-12) - 2e-9{end}
end

step starts_above materialized
    select
        n.tanon_node, n.tanon_mask, max(a.tanon_squares_of_all)::double as tanon_below,
        any_value(tanon_lost) as tanon_lost, any_value(tanon_whole) as tanon_whole
    from {lattice} as n join {bits_at_nodes} using (tanon_node)
    join {accepted} as a on a.tanon_mask & n.tanon_mask = a.tanon_mask
    where n.tanon_node not in (select tanon_node from {accepted})
    group by n.tanon_node, n.tanon_mask
end

step above recursive
    select
        *,
        (select min({loss}) from {accepted} join {bits_at_nodes} using (tanon_node), {row_count})
            as tanon_best,
        null::boolean as tanon_ok, null::bigint as tanon_m, null::bigint as tanon_s,
        null::bigint as tanon_groups, null::bigint as tanon_suppressed,
        null::hugeint as tanon_squares
    from {starts_above}
    union all
    (
        with tanon_open as materialized (
            from {above} where tanon_ok is null and {least_loss} <= tanon_best
        ),
        tanon_pick as materialized (
            select tanon_node, tanon_mask, tanon_lost, tanon_whole
            from tanon_open
            order by
                {least_loss} asc nulls last, bit_count(tanon_mask) asc nulls last,
                tanon_mask asc nulls last
            limit 1
        ),
        tanon_aims as materialized (
            {aims_of_higher}
        ),
        tanon_measured as materialized (
            {measures_of_higher}
        ),
        tanon_verdict as materialized (
            select
                tanon_node as tanon_at, tanon_mask as tanon_of, {loss} as tanon_loss,
                {passing} as tanon_passes,
                tanon_squares_of_all, tanon_m, tanon_s, tanon_groups, tanon_suppressed,
                tanon_squares
            from tanon_pick join tanon_measured using (tanon_node), {row_count}
        )
        select
            o.tanon_node, o.tanon_mask,
            case when o.tanon_mask & tanon_of = tanon_of
                then greatest(tanon_below, tanon_squares_of_all) else tanon_below end,
            tanon_lost, tanon_whole,
            case when tanon_passes then least(tanon_best, tanon_loss) else tanon_best end,
            case when o.tanon_node = tanon_at then tanon_passes end,
            v.tanon_m, v.tanon_s, v.tanon_groups, v.tanon_suppressed, v.tanon_squares
        from tanon_open as o, tanon_verdict as v
    )
end

-- Where cells are hidden, most rows that are counted as left out stay: minimal nodes lose less.
step candidates
    {if suppression = 'rows' and tanon._looks_above(choose_by, max_suppression)}
    select tanon_node, tanon_m, tanon_s, tanon_groups, tanon_suppressed, tanon_squares
    from {accepted}
    union all
    select tanon_node, tanon_m, tanon_s, tanon_groups, tanon_suppressed, tanon_squares
    from {above}
    where tanon_ok
    {else}
    from {minimal_nodes}
    {end}
end
