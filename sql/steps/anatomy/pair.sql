-- The two tables of Anatomy by group: individuals of equal quasi-identifiers, and values, as text;
-- both have the same groups.
-- Yields: groups_fit, people_in_groups, values_in_groups
-- Takes: individuals, counts, qi, sensitive

step people_in_groups materialized
    select
        {for q in tanon._list(qi) joined by ''}
        tanon._value_text({q:name}) as {q:name},
        {end}
        a_group as tanon_group, count(*) as tanon_n
    from {individuals}
    group by all
end

step values_in_groups materialized
    select tanon._value_text({sensitive}) as {sensitive}, a_group as tanon_group,
        sum(records)::bigint as tanon_n
    from {counts}
    group by all
end

guard groups_fit
    select 'individuals must have the groups of counts, each of as many rows, got ' || count(*)
        || ' groups that differ'
    from (
        select tanon_group, sum(tanon_n) as tanon_n from {people_in_groups} group by tanon_group
    ) as tanon_p full join (
        select tanon_group, sum(tanon_n) as tanon_n from {values_in_groups} group by tanon_group
    ) as tanon_v on tanon_p.tanon_group = tanon_v.tanon_group
    where tanon_p.tanon_n is distinct from tanon_v.tanon_n
        or tanon_p.tanon_group is null
    having count(*) > 0
end
