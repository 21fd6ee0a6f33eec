{# {{ name }}: the metrics of the nodes {{ aims }}, which hold what each value becomes there, among
   {{ rows }}. A respondent counts once in a group; those without a name have no other row. #}
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
            * exclude (tanon_who, tanon_n), sum(tanon_n)::bigint as tanon_n,
            sum(case when tanon_who is null then tanon_n else 1 end)::bigint as tanon_f
        from (
            select
                tanon_node,
                {for q in tanon._list(qi) joined by ''}
                tanon_a.{q:name}[tanon_b.{q:name}] as {q:name},
                {end}
                tanon_a.tanon_time[tanon_b.tanon_time] as tanon_time, tanon_who,
                sum(tanon_n)::bigint as tanon_n
            from {{ rows }} as tanon_b, {{ aims }} as tanon_a
            group by all
        )
        group by all
    )
    group by tanon_node
)
