-- What is measured of the groups of one granularity: tanon_f respondents and tanon_n rows in each.
-- Yields: measures
-- Takes: k

piece measures
        min(tanon_f) as tanon_m,
        coalesce(sum(tanon_f), 0)::bigint as tanon_s,
        count(*) as tanon_groups,
        coalesce(sum(tanon_n) filter (where tanon_f < {k}), 0)::bigint as tanon_suppressed,
        min(tanon_f) filter (where tanon_f >= {k}) as tanon_kept_m,
        coalesce(sum(tanon_f) filter (where tanon_f >= {k}), 0)::bigint as tanon_kept_s
end
