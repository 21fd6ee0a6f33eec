-- Pairs (target, envelope) whose ranges hold the target's known values, with the target's secret.
-- The function says at which positions values are known. A grid over two positions makes it a join
-- on equality; sixteen positions are compared as columns, others afterwards. Where few ranges are
-- published, nearly all pairs may be left: they are counted before they are made.
-- Yields: inside
-- Reads: known_positions, marked_targets, possible_envelopes, targets

piece eighths
    [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875]
end

step position_slots
    select
        list_resize(tanon_known[:16], 16, tanon_known[1]) as slots,
        case when len(tanon_known) > 16 then tanon_known[17:] end as others,
        tanon_known[-1] as x, tanon_known[(len(tanon_known) + 1) // 2] as y
    from {known_positions}
end

step grid
    select
        slots, others, x, y,
        quantile_disc(tanon_values[x], {eighths}) as x_edges,
        quantile_disc(tanon_values[y], {eighths}) as y_edges
    from {targets}, {position_slots}
    group by all
end

step boxes
    select
        envelope,
        list_transform(others, lambda i: coalesce(low[i], '-inf')) as lows,
        list_transform(others, lambda i: coalesce(high[i], 'inf')) as highs,
        x_cell, unnest(tanon._grid_cells(y_edges, low[y], high[y])) as y_cell
        {for s in tanon._slots() joined by ''}
        , coalesce(low[slots[{tanon._slot('', s)}]], '-inf') as {tanon._slot('l', s)}
        , coalesce(high[slots[{tanon._slot('', s)}]], 'inf') as {tanon._slot('h', s)}
        {end}
    from (
        select *, unnest(tanon._grid_cells(x_edges, low[x], high[x])) as x_cell
        from {possible_envelopes}, {grid}
    )
end

step points_in_grid
    select
        target, secret, list_transform(others, lambda i: tanon_values[i]) as values,
        len(list_filter(x_edges, lambda e: e <= tanon_values[x])) as x_cell,
        len(list_filter(y_edges, lambda e: e <= tanon_values[y])) as y_cell
        {for s in tanon._slots() joined by ''}
        , tanon_values[slots[{tanon._slot('', s)}]] as {tanon._slot('v', s)}
        {end}
    from {targets} left join {marked_targets} using (target), {grid}
end

step compared
    select sum(p.rows::hugeint * b.rows) as pairs
    from (select x_cell, y_cell, count(*) as rows from {points_in_grid} group by all) as p
    join (select x_cell, y_cell, count(*) as rows from {boxes} group by all) as b
        using (x_cell, y_cell)
end

guard few_are_compared on inside
    select 'source must hold few enough series for at most 2000000000 comparisons of one with '
        || 'a published range, got ' || pairs || '; ranges at more positions need fewer, too'
    from {compared}
    where pairs > 2000000000
end

step inside materialized
    select target, secret, envelope
    from {points_in_grid} as p join {boxes} as b on
        p.x_cell = b.x_cell and p.y_cell = b.y_cell
        {for s in tanon._slots() joined by ''}
        and {tanon._slot('l', s)} <= {tanon._slot('v', s)}
        and {tanon._slot('h', s)} >= {tanon._slot('v', s)}
        {end}
    where {checked few_are_compared} and (values is null or list_bool_and(list_transform(
        range(1, len(values) + 1), lambda i: lows[i] <= values[i] and values[i] <= highs[i])))
end
