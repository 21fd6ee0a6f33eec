-- What is measured of each granularity that is offered, by the sizes of its groups.
-- Yields: all_measured
-- Reads: feasibility
-- Takes: k

step all_measured(sizes)
    select
        tanon_name, min(tanon_f) as tanon_m,
        coalesce(sum(tanon_f * tanon_groups), 0)::bigint as tanon_s,
        coalesce(sum(tanon_groups), 0)::bigint as tanon_groups,
        coalesce(sum(tanon_tuples) filter (where tanon_f < {k}), 0)::bigint as tanon_suppressed,
        min(tanon_f) filter (where tanon_f >= {k}) as tanon_kept_m,
        coalesce(sum(tanon_f * tanon_groups) filter (where tanon_f >= {k}), 0)::bigint
            as tanon_kept_s
    from {feasibility} left join {sizes} using (tanon_name)
    group by tanon_name
end
