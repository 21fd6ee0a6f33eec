-- What the minimal nodes lose: bits by which a value is less certain once it is generalized, added
-- up over attributes and time. A row that is left out loses all there are. Time is counted from the
-- moments that what is offered can tell apart, days or shorter.
-- Yields: node_bits
-- Reads: codes, lattice, minimal_nodes, row_count
-- Takes: qi, ts, prefer

step bits_of_levels
    select
        tanon_attribute, tanon_level, (tanon_together - tanon_apart) / tanon_all as tanon_lost,
        log2(tanon_all) - tanon_apart / tanon_all as tanon_whole
    from (
        select
            tanon_attribute, tanon_level, sum(tanon_n) as tanon_all,
            sum(tanon_n * log2(tanon_n)) as tanon_together,
            sum(tanon_parts) as tanon_apart
        from (
            select
                tanon_attribute, tanon_level, tanon_code, sum(tanon_n) as tanon_n,
                sum(tanon_n * log2(tanon_n)) as tanon_parts
            from {codes}
            group by all
        )
        group by all
    )
end

step node_levels
    {for q in tanon._list(qi) joined by ' union all '}
    select tanon_node, {q} as tanon_attribute, {q:name} as tanon_level,
        {tanon._weight_text(q, prefer)} as tanon_weight
    from {lattice}
    {end}
    {if ts is not null}
    union all
    select tanon_node, {ts:text}, tanon_place, {tanon._weight_text(ts, prefer)} from {lattice}
    {end}
end

-- Rounded: sums of one set of numbers differ in their last digits with their order.
step node_bits
    select tanon_node, round(sum(tanon_weight * (
        (1 - tanon_suppressed / tanon_rows_of_all) * tanon_lost
        + tanon_suppressed / tanon_rows_of_all * tanon_whole
    )), 9) as tanon_bits
    from (
        select tanon_node, coalesce(tanon_suppressed, 0) as tanon_suppressed from {minimal_nodes}
    ) join {node_levels} using (tanon_node)
    join {bits_of_levels} using (tanon_attribute, tanon_level), {row_count}
    group by tanon_node
end
