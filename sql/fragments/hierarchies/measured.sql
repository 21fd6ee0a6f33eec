{# {{ name }}: the metrics of the nodes {{ aims }}, which hold what each value becomes there. Rows
   {{ alone }} are of respondents without another row, {{ repeated }} of those who have several. #}
{{ name }} as materialized (
    select
        tanon_node,
        min(tanon_f) filter (where tanon_f >= {k}) as tanon_m,
        coalesce(sum(tanon_f) filter (where tanon_f >= {k}), 0)::bigint as tanon_s,
        count(*) as tanon_groups,
        coalesce(sum(tanon_n) filter (where tanon_f < {k}), 0)::bigint as tanon_suppressed,
        coalesce(sum(tanon_n * tanon_n) filter (where tanon_f >= {k}), 0) as tanon_squares
    from (
        select
            * exclude (tanon_f, tanon_n),
            sum(tanon_f)::bigint as tanon_f, sum(tanon_n)::bigint as tanon_n
        from (
            select
                tanon_node,
                {for q in tanon._list(qi) joined by ''}
                tanon_a.{q:name}[tanon_b.{q:name}] as {q:name},
                {end}
                tanon_a.tanon_time[tanon_b.tanon_time] as tanon_time, tanon_n as tanon_f, tanon_n
            from {{ alone }} as tanon_b, {{ aims }} as tanon_a
            union all
            select * exclude (tanon_who, tanon_n), 1, tanon_n
            from (
                select
                    tanon_node,
                    {for q in tanon._list(qi) joined by ''}
                    tanon_a.{q:name}[tanon_b.{q:name}] as {q:name},
                    {end}
                    tanon_a.tanon_time[tanon_b.tanon_time] as tanon_time, tanon_who,
                    sum(tanon_n)::bigint as tanon_n
                from {{ repeated }} as tanon_b, {{ aims }} as tanon_a
                group by all
            )
        )
        group by all
    )
    group by tanon_node
)
