-- How many rows of each value the two tables of Anatomy lead to expect, as numbers of values.
-- Yields: cells_listed
-- Reads: cells_in_codes, groups_fit, people_in_groups, values_in_groups
-- Takes: qi, sa

-- How many rows of each value with each sensitive value the two tables lead to expect. Added up in
-- the order of groups, so that nothing depends on threads.
step expected materialized
    select
        {for q in flatten([tanon._list(qi), tanon._list(sa)]) joined by ''}{q:name}, {end}
        list_sum(list(tanon_n order by tanon_group asc nulls last)) as tanon_n
    from (
        select
            {for q in tanon._list(qi) joined by ''}tanon_p.{q:name}, {end}
            {tanon_v.sa}, tanon_group,
            tanon_p.tanon_n * tanon_v.tanon_n / tanon_all as tanon_n
        from {people_in_groups} as tanon_p join (
            select *, sum(tanon_n) over (partition by tanon_group) as tanon_all
            from {values_in_groups}
        ) as tanon_v using (tanon_group)
        where {checked groups_fit}
    )
    group by all
end

use cells_expected = cells_in_codes(rows = expected)

guard pair_is_of_source on cells_listed
    select 'individuals and counts must hold values of source, got '
        || round(tanon_all - tanon_known)::bigint || ' rows with others'
    from (select coalesce(sum(tanon_n), 0) as tanon_all from {people_in_groups}),
        (select coalesce(sum(tanon_n), 0) as tanon_known from {cells_expected})
    where tanon_all - tanon_known > 0.5
end

step cells_listed
    select list(list_concat(tanon_codes, [tanon_n, 0])::double[]) as tanon_released
    from {cells_expected}
    where {checked pair_is_of_source}
end
