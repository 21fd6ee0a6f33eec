{# The nodes of the lattice. A mask has a bit for each step up to the node: one node is at or below
   another if its mask is within the other's. #}
tanon_behind as (
    select
        a.tanon_place,
        string_agg(case when a.tanon_place = b.tanon_place {if ts is not null}or exists (
            from tanon_finer where tanon_fine = b.tanon_name and tanon_coarse = a.tanon_name
        ){end} then '1' else '0' end, '' order by b.tanon_place) as tanon_bits
    from tanon_times as a, tanon_times as b
    group by a.tanon_place
),
tanon_heights as materialized (
    select
        tanon_attribute, tanon_level,
        repeat('1', tanon_level) || repeat('0', max(tanon_level) over (
            partition by tanon_attribute
        ) - tanon_level) as tanon_bits
    from tanon_levels
    where (select coalesce(bool_and(tanon_fine), true) from tanon_hierarchy_errors)
),
tanon_lattice as materialized (
    select
        (row_number() over ())::integer as tanon_node, tanon_place,
        {for q in tanon._list(qi) joined by ''}
        {q:dictionary}.tanon_level as {q:name},
        {end}
        concat(tanon_behind.tanon_bits
            {for q in tanon._list(qi) joined by ''}, {q:dictionary}.tanon_bits{end}
        )::bit as tanon_mask
    from tanon_behind
    {for q in tanon._list(qi) joined by ''}
    join (from tanon_heights where tanon_attribute = {q}) as {q:dictionary} on true
    {end}
),
tanon_nodes as materialized (
    select tanon_node, tanon_mask, min(tanon_witness) as tanon_witness
    from tanon_lattice as tanon_at left join tanon_witnesses as tanon_w on case tanon_attribute
        {for q in tanon._list(qi) joined by ''}when {q} then tanon_at.{q:name} {end}
        {if ts is not null}when {ts:text} then tanon_place{end}
        end = tanon_w.tanon_level
    group by tanon_node, tanon_mask
),
