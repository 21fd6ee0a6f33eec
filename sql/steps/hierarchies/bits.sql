-- What nodes lose that leave out tanon_suppressed rows: bits by which a value is less certain once
-- it is generalized, added up over attributes and time. A row that is left out loses all there are.
-- Time is counted from the moments that what is offered can tell apart, days or shorter.
-- Yields: bits_at_nodes, bits_of_nodes
-- Reads: codes, lattice, row_count
-- Takes: qi, ts, choose_by

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
        {tanon._weight_text(q, choose_by)} as tanon_weight
    from {lattice}
    {end}
    {if ts is not null}
    union all
    select tanon_node, {ts:text}, tanon_place, {tanon._weight_text(ts, choose_by)} from {lattice}
    {end}
end

-- What a node loses of each row that stays, and of each that is left out.
step bits_at_nodes materialized
    select
        tanon_node, sum(tanon_weight * tanon_lost) as tanon_lost,
        sum(tanon_weight * tanon_whole) as tanon_whole
    from {node_levels} join {bits_of_levels} using (tanon_attribute, tanon_level)
    group by tanon_node
end

-- Rounded: sums of one set of numbers differ in their last digits with their order.
step bits_of_nodes(nodes)
    select
        tanon_node, tanon_left_out,
        round((1 - tanon_left_out / tanon_rows_of_all) * tanon_lost
            + tanon_left_out / tanon_rows_of_all * tanon_whole, 9) as tanon_bits
    from (
        select distinct tanon_node, coalesce(tanon_suppressed, 0) as tanon_left_out from {nodes}
    ) join {bits_at_nodes} using (tanon_node), {row_count}
end
