-- How many respondents there are, in the release and in several of its groups, and how exposed they
-- are: each as in the smallest of their groups, before groups below k are left out and after.
-- Yields: counted_people
-- Reads: coded, groups_at_chosen, members_at_chosen
-- Takes: k, suppression

step members_before_hiding materialized
    select distinct tanon_plain, tanon_granule, tanon_person from {coded}
end

step smallest_before_hiding
    select tanon_person, min(tanon_f) as tanon_whole
    from {members_before_hiding} join (
        select tanon_plain, tanon_granule, count(*) as tanon_f
        from {members_before_hiding}
        group by tanon_plain, tanon_granule
    ) using (tanon_plain, tanon_granule)
    group by tanon_person
end

step smallest_of_people
    select
        tanon_person,
        {if suppression = 'cells'}any_value(tanon_whole){else}min(tanon_f){end} as tanon_before,
        min(tanon_f) filter (tanon_is_kept) as tanon_after,
        count(*) filter (tanon_is_kept) as tanon_groups
    from {members_at_chosen} join (
        select tanon_value, tanon_granule, tanon_f, tanon_is_kept from {groups_at_chosen}
    ) using (tanon_value, tanon_granule)
    {if suppression = 'cells'}join {smallest_before_hiding} using (tanon_person){end}
    group by tanon_person
end

-- Means are summed over sizes in order, so that they do not depend on threads.
step counted_people materialized
    select
        coalesce(sum(tanon_n), 0)::bigint as tanon_everybody,
        coalesce(sum(tanon_n) filter (tanon_after is not null), 0)::bigint as tanon_released,
        coalesce(sum(tanon_several), 0)::bigint as tanon_several,
        coalesce(sum(tanon_n) filter (tanon_before < 2), 0)::bigint as tanon_alone,
        coalesce(sum(tanon_n) filter (tanon_before < {k}), 0)::bigint as tanon_below_k,
        list_sum(list(
            tanon_n / tanon_before order by tanon_before asc nulls last, tanon_after asc nulls last
        ))
            / sum(tanon_n) as tanon_mean_before,
        list_sum(list(
            tanon_n / tanon_after order by tanon_before asc nulls last, tanon_after asc nulls last
        )
            filter (tanon_after is not null)) / tanon_released as tanon_mean_after,
        1 / min(tanon_before) as tanon_worst_before, 1 / min(tanon_after) as tanon_worst_after
    from (
        select
            tanon_before, tanon_after, count(*) as tanon_n,
            count(*) filter (tanon_groups > 1) as tanon_several
        from {smallest_of_people}
        group by tanon_before, tanon_after
    )
end
