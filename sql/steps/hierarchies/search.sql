-- One node of `start` after the other is measured among `rows`, until each is at or above one that
-- passes or at or below one that sinks; tanon_ok tells whether a measured one passes. One that
-- fails sinks, and all below it fails, but for limits that a group may meet before it grows. The
-- next is the one that splits the rest best, or, where the search climbs, one at the bottom, and
-- ever further up as long as nodes fail.
-- Yields: few_left_out, search, sinking
-- Reads: node_aims, node_measures, repeaters, row_count
-- Takes: qi, k, ts, max_suppression, distance, limits

use aims_of_pick = node_aims(chosen = tanon_pick)
use measures_of_pick = node_measures(rows = rows, aims = tanon_aims)

-- Where nothing may be left out and nobody has two rows, a group is a mixture of those below it,
-- and a mixture of groups within limits is within them too.
piece sinking
coalesce(tanon_sunk, 0) > {max_suppression} * tanon_rows_of_all
                or {max_suppression} = 0 and coalesce(tanon_suppressed, 0) > 0
                    and (select count(*) = 0 from {repeaters})
end

piece few_left_out
coalesce(tanon_suppressed, 0) <= {max_suppression} * tanon_rows_of_all
end

step search(start, rows, passing) recursive
    select
        tanon_node, tanon_mask, tanon_witness, tanon_climbs, 0 as tanon_misses,
        null::boolean as tanon_ok,
        null::bigint as tanon_m, null::bigint as tanon_s, null::bigint as tanon_groups,
        null::bigint as tanon_suppressed, null::hugeint as tanon_squares,
        null::hugeint as tanon_squares_of_all, null::bigint as tanon_sunk,
        null::boolean as tanon_tells, null::boolean as tanon_sinks
    from {start}
    union all
    (
        with tanon_open as materialized (from {search} where tanon_ok is null),
        tanon_pick as materialized (
            select p.tanon_node, p.tanon_mask, p.tanon_witness
            from (
                from tanon_open
                order by
                    case when tanon_climbs and tanon_misses < 6
                        then bit_count(tanon_mask) end asc nulls last,
                    hash(tanon_node) asc nulls last, tanon_node asc nulls last
                limit 24
            ) as p, tanon_open as o
            group by all
            order by
                least(
                    count(*) filter (p.tanon_mask & o.tanon_mask = p.tanon_mask),
                    count(*) filter (p.tanon_mask & o.tanon_mask = o.tanon_mask),
                    case when any_value(p.tanon_climbs) then 2 ** any_value(p.tanon_misses) end
                ) desc nulls last,
                count(*) filter (p.tanon_mask & o.tanon_mask = p.tanon_mask) desc nulls last,
                p.tanon_node asc nulls last
            limit 1
        ),
        tanon_aims as materialized (
            {aims_of_pick}
        ),
        tanon_measured as materialized (
            {measures_of_pick}
        ),
        tanon_verdict as materialized (
            select
                p.tanon_node as tanon_at, p.tanon_mask as tanon_of,
                {passing} as tanon_ok,
                tanon_measured.* exclude (tanon_node), {sinking} as tanon_sinks
            from tanon_pick as p left join tanon_measured using (tanon_node), {row_count}
        )
        select
            o.tanon_node, o.tanon_mask, o.tanon_witness, o.tanon_climbs,
            case when v.tanon_ok then 0 else least(o.tanon_misses + 1, 40) end,
            case when o.tanon_node = tanon_at then v.tanon_ok end,
            v.* exclude (tanon_at, tanon_of, tanon_ok)
        from tanon_open as o, tanon_verdict as v
        where o.tanon_node = tanon_at or case
            when v.tanon_ok then o.tanon_mask & tanon_of <> tanon_of
            when v.tanon_sinks then o.tanon_mask & tanon_of <> o.tanon_mask
            else true end
    )
end
