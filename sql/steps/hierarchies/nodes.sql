-- The nodes of the lattice. A mask has a bit for each step up to the node: one node is at or below
-- another if its mask is within the other's. Each node is given the witnesses of its rarest value.
-- Yields: lattice, nodes
-- Reads: finer, levels_given, levels_are_nested, times, witnesses
-- Takes: qi, ts, levels

step times_below
    select
        a.tanon_place,
        string_agg(case when a.tanon_place = b.tanon_place {if ts is not null}or exists (
            from {finer} where tanon_below = b.tanon_name and tanon_above = a.tanon_name
        ){end} then '1' else '0' end, '' order by b.tanon_place asc nulls last) as tanon_bits
    from {times} as a, {times} as b
    group by a.tanon_place
end

step heights materialized
    select
        tanon_attribute, tanon_level,
        repeat('1', tanon_level) || repeat('0', max(tanon_level) over (
            partition by tanon_attribute
        ) - tanon_level) as tanon_bits
    from {levels_given}
    where {checked levels_are_nested}
end

step lattice materialized
    select
        (row_number() over ())::integer as tanon_node, tanon_place,
        {for q in tanon._list(qi) joined by ''}
        {tanon._dictionary(q)}.tanon_level as {q:name},
        {end}
        concat(tanon_t.tanon_bits
            {for q in tanon._list(qi) joined by ''}, {tanon._dictionary(q)}.tanon_bits{end}
        )::bit as tanon_mask
    from {times_below} as tanon_t
    {for q in tanon._list(qi) joined by ''}
    join (
        from {heights}
        where tanon_attribute = {q}
            and {tanon._level_literal(q, levels)} in ('', tanon_level::varchar)
    ) as {tanon._dictionary(q)} on true
    {end}
end

step nodes materialized
    select tanon_node, tanon_mask, min(tanon_witness) as tanon_witness
    from {lattice} as tanon_at left join {witnesses} as tanon_w on case tanon_attribute
        {for q in tanon._list(qi) joined by ''}when {q} then tanon_at.{q:name} {end}
        {if ts is not null}when {ts:text} then tanon_place{end}
        end = tanon_w.tanon_level
    group by tanon_node, tanon_mask
end
