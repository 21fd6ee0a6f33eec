-- Where whole respondents lie in one shard, and not whole groups: what each shard knows of a group
-- is added up, and looked at by group. For shards alone.
-- Yields: groups_here, sizes_met, counts_in_choice, few_in_choice, release_counts, few_share
-- Reads: members, release, rows_in_choice, timed
-- Takes: respondent, qi, ts, k

use members_here = members(rows = timed)

-- Of each granularity, the groups of the respondents of this shard.
step groups_here
    select
        tanon_name, {qi}, tanon_granule, count(*) as tanon_f, sum(tanon_n)::bigint as tanon_n
    from {members_here}
    group by tanon_name, {qi}, tanon_granule
end

-- As sizes_offered, of groups that are added up.
step sizes_met
    select
        tanon_name, tanon_f::bigint as tanon_f, count(*) as tanon_groups,
        sum(tanon_n)::bigint as tanon_tuples
    from {groups_here}
    group by tanon_name, tanon_f
end

step counts_in_choice
    select
        {qi}, tanon_granule, count(*) as tanon_frequency, sum(tanon_n)::bigint as tanon_tuples
    from (
        select {qi}, tanon_granule, {respondent} as tanon_uid, count(*) as tanon_n
        from {rows_in_choice}
        group by {qi}, tanon_granule, {respondent}
    )
    group by {qi}, tanon_granule
end

-- As groups_below_k, of groups that are added up.
step few_in_choice
    select *, row_number() over () as tanon_group
    from {counts_in_choice}
    where tanon_frequency < {k}
end

step release_counts
    select
        {for q in flatten([tanon._list(qi), tanon._list(ts)]) joined by ''}
        tanon._order_key({q:name}) as {q:name},
        {end}
        count(distinct {respondent}) as tanon_people, count(*) as tanon_rows
    from {release} as tanon_r
    group by
        {for q in flatten([tanon._list(qi), tanon._list(ts)]) joined by ', '}
        tanon._order_key(tanon_r.{q:name})
        {end}
end

-- Of what the release shares, what is shared by too few.
step few_share
    select tanon_people, tanon_rows
    from {release_counts}
    where tanon_people < {k}
end
