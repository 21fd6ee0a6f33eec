-- What the released rows themselves say: their groups, counted with the respondents still in them.
-- Yields: released_measures, released_sums, number_released
-- Reads: release, rows_that_stay
-- Takes: respondent, qi, ts

step released_groups materialized
    select {qi} {,ts}, count(*) as tanon_f, sum(tanon_n)::bigint as tanon_n,
        sum(tanon_cells) as tanon_cells
    from (
        select
            {qi} {,ts}, {respondent} as tanon_uid, count(*) as tanon_n,
                sum(tanon_cells) as tanon_cells
        from {release}
        where not tanon_is_rest
        group by {qi} {,ts}, {respondent}
    )
    group by {qi} {,ts}
end

step released_sums
    select
        min(tanon_f) as tanon_m, coalesce(sum(tanon_f), 0)::bigint as tanon_s,
        count(tanon_f) as tanon_groups, coalesce(sum(tanon_n), 0)::bigint as tanon_kept,
        coalesce(sum(tanon_cells), 0)::bigint as tanon_cells,
        coalesce(sum(tanon_n * tanon_n), 0) as tanon_squares
    from {released_groups}
end

step released_measures
    select
        s.*, tanon_rows - s.tanon_kept as tanon_left_out,
        tanon_squares + tanon_left_out * tanon_rows as tanon_discernibility
    from {released_sums} as s, {rows_that_stay}
end

step people_released
    select distinct {respondent} as tanon_whose from {release} where not tanon_is_rest
end

step number_released
    select count(*) as tanon_people from {people_released}
end
