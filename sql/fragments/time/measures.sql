        min(tanon_fn & 4294967295) as tanon_m,
        coalesce(sum(tanon_fn & 4294967295), 0)::bigint as tanon_s,
        count(*) as tanon_groups,
        coalesce(sum(tanon_fn >> 32) filter (where tanon_fn & 4294967295 < {k}), 0)::bigint
            as tanon_suppressed,
        min(tanon_fn & 4294967295) filter (where tanon_fn & 4294967295 >= {k}) as tanon_kept_m,
        coalesce(sum(tanon_fn & 4294967295) filter (where tanon_fn & 4294967295 >= {k}), 0)::bigint
            as tanon_kept_s
