{# {{ name }}: the metrics of every node of {{ nodes }}, from {{ base }}. A base row holds the codes
   of its values on all levels, its time in all granularities, and how many respondents with a
   single row (tanon_who is NULL) or which respondent it stands for. #}
{{ groups }} as (
    select tanon_node, count(*) as tanon_parts, sum(tanon_f) as tanon_f, sum(tanon_n) as tanon_n
    from (
        select
            tanon_node, tanon_singles as tanon_f, tanon_rows as tanon_n,
            {for q in tanon._list(qi) joined by ''}
            tanon_b.{q:name}[tanon_at.{q:name} + 1] as {q:name},
            {end}
            tanon_time[tanon_g] as tanon_time
        from {{ base }} as tanon_b, {{ nodes }} as tanon_at
        where tanon_who is null
        union all
        select
            tanon_node, 1, sum(tanon_rows),
            {for q in tanon._list(qi) joined by ''}
            tanon_b.{q:name}[tanon_at.{q:name} + 1] as {q:name},
            {end}
            tanon_time[tanon_g] as tanon_time
        from {{ base }} as tanon_b, {{ nodes }} as tanon_at
        where tanon_who is not null
        group by tanon_node, tanon_who,
            {for q in tanon._list(qi) joined by ''}
            tanon_b.{q:name}[tanon_at.{q:name} + 1],
            {end}
            tanon_time[tanon_g]
    )
    group by tanon_node, {qi}, tanon_time
),
{{ name }} as materialized (
    select
        tanon_node,
        coalesce(sum(tanon_n) filter (where tanon_f < {k}), 0)::bigint as tanon_suppressed,
        min(tanon_f) filter (where tanon_f >= {k})::bigint as tanon_m,
        coalesce(sum(tanon_f) filter (where tanon_f >= {k}), 0)::bigint as tanon_s,
        count(*) as tanon_groups,
        coalesce(sum(tanon_n * tanon_n) filter (where tanon_f >= {k}), 0) as tanon_squares
    from {{ groups }}
    group by tanon_node
),
