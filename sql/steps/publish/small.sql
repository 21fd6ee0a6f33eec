-- Groups below k in numbers: values of each attribute, who is in them, how many rows they have.
-- Yields: small_groups, small_members
-- Reads: groups_below_k, regulars, rows_in_choice
-- Takes: uid, qi

-- Those with several rows, who may be in several groups; others add up.
step small_members materialized
    select distinct tanon_group, tanon_who
    from {rows_in_choice} as tanon_r join {regulars} on {tanon_r.uid} = tanon_uid
    join {groups_below_k} as tanon_b
        on {for q in tanon._list(qi) joined by ' and '}
            tanon_r.{q:name} is not distinct from tanon_b.{q:name}
        {end} and tanon_r.tanon_granule = tanon_b.tanon_granule
end

step small_groups materialized
    select
        {for q in tanon._list(qi) joined by ''}
        (dense_rank() over (order by {q:name} asc nulls first))::integer as {q:name},
        {end}
        tanon_granule, tanon_group, tanon_tuples,
        tanon_frequency - coalesce(tanon_members, 0) as tanon_alone
    from {groups_below_k} left join (
        select tanon_group, count(*) as tanon_members from {small_members} group by tanon_group
    ) using (tanon_group)
end
