-- What the released rows themselves say: their groups, counted with the respondents still in them.
-- Yields: released_measures
-- Reads: release
-- Takes: source, uid, qi, ts

step released_groups materialized
    select {qi} {,ts}, count(*) as tanon_f, sum(tanon_n)::bigint as tanon_n,
        sum(tanon_cells) as tanon_cells
    from (
        select
            {qi} {,ts}, {uid} as tanon_uid, count(*) as tanon_n, sum(tanon_cells) as tanon_cells
        from {release}
        where not tanon_is_rest
        group by {qi} {,ts}, {uid}
    )
    group by {qi} {,ts}
end

step released_measures
    select
        min(tanon_f) as tanon_m, coalesce(sum(tanon_f), 0)::bigint as tanon_s,
        count(tanon_f) as tanon_groups, coalesce(sum(tanon_n), 0)::bigint as tanon_kept,
        coalesce(sum(tanon_cells), 0)::bigint as tanon_cells,
        any_value(tanon_all) - tanon_kept as tanon_left_out,
        (coalesce(sum(tanon_n * tanon_n), 0) + tanon_left_out * any_value(tanon_all))
            as tanon_discernibility
    from (select count(*) as tanon_all from {source}) left join {released_groups} on true
end
