-- What each column that is no quasi-identifier tells of those in the release, were it there: values
-- that only one respondent of a group has, groups in which all have the same, guesses.
-- Yields: told_by_column
-- Reads: counted_people, further_columns, released

step told_cells materialized
    select
        tanon_place, tanon_group, tanon_hash, count(*) as tanon_n,
        min(tanon_person) as tanon_first, max(tanon_person) as tanon_last
    from (
        select
            tanon_group, tanon_person, unnest(tanon_told) as tanon_hash,
            generate_subscripts(tanon_told, 1)::integer as tanon_place
        from {released}
    )
    group by tanon_place, tanon_group, tanon_hash
end

step told_alone
    select tanon_place, count(distinct tanon_first) as tanon_alone
    from {told_cells}
    where tanon_first = tanon_last
    group by tanon_place
end

step told_groups
    select
        tanon_place, tanon_group, count(*) = 1 as tanon_is_one,
        max(tanon_n) as tanon_most
    from {told_cells}
    group by tanon_place, tanon_group
end

step told_alike
    select tanon_place, count(distinct tanon_person) as tanon_alike
    from {released} join {told_groups} using (tanon_group)
    where tanon_is_one
    group by tanon_place
end

step told_at_large
    select
        tanon_place, count(*) as tanon_values, max(tanon_n) as tanon_usual,
        sum(tanon_n)::bigint as tanon_rows
    from (
        select tanon_place, tanon_hash, sum(tanon_n)::bigint as tanon_n
        from {told_cells}
        group by tanon_place, tanon_hash
    )
    group by tanon_place
end

step told_by_column materialized
    select
        tanon_column, tanon_folded, tanon_type, tanon_rows, tanon_usual, tanon_most,
        coalesce(tanon_values, 0) as tanon_values, coalesce(tanon_alone, 0) as tanon_alone,
        coalesce(tanon_alike, 0) as tanon_alike, tanon_people
    from {further_columns} left join {told_at_large} using (tanon_place) left join (
        select tanon_place, sum(tanon_most)::bigint as tanon_most
        from {told_groups}
        group by tanon_place
    ) using (tanon_place)
    left join {told_alone} using (tanon_place)
    left join {told_alike} using (tanon_place),
    (select tanon_released as tanon_people from {counted_people})
end
