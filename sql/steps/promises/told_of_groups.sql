-- Whether the two tables of Anatomy belong together: the same groups of the same sizes, and no
-- sensitive value beside a person.
-- Yields: told_of_groups
-- Takes: release, qi, sensitive, records, individuals

step sizes_of_groups
    select sum(tanon_n) as tanon_n
    from (
        select {qi},
            {if records is null} 1 {else} try_cast({records}::varchar as bigint) {end} as tanon_n
        from {release}
        union all
        select {qi}, -1 from {individuals}
    )
    group by {qi}
end

step told_of_groups
    select 7 as place, 'groups of both tables' as property, 'the same sizes' as promise,
        case when count(*) = 0 then 'the same' else count(*) || ' that differ' end as found,
        count(*) = 0 as holds
    from {sizes_of_groups}
    where tanon_n is distinct from 0
    union all
    select 8, 'columns of individuals', 'no sensitive one',
        coalesce(string_agg(
            column_name, ', ' order by column_name asc nulls last
        ), 'none'), count(*) = 0
    from {individuals:columns}
    where tanon._is_named(folded, list_concat({sensitive:text}, tanon._list({records:text})))
end
