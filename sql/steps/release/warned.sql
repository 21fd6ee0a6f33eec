-- What an owner should know before a k-anonymous release goes out.
-- Yields: warned
-- Reads: attacked, counted_people, groups_at_chosen, judged, nearest_granularity,
--   sensitive_without_limits, told_by_column, warned_of_identifiers
-- Takes: ts, keep, k, max_suppression, hierarchies, choose_by, suppression, remainder, limits,
--     presence

step warned_of_columns
    select
        'singles out' as warning, tanon_column as affects, tanon_alone as respondents,
        tanon_alone / nullif(tanon_people, 0) as share,
        'whoever also knows it finds them: put it into qi, or leave it home' as advice,
        2 as tanon_place
    from {told_by_column}
    where tanon_alone > 0 and tanon._is_named(tanon_folded, {keep:text})
    union all
    select
        'one value', tanon_column, tanon_alike, tanon_alike / nullif(tanon_people, 0),
        'all in a group of theirs have the same value: who finds the group knows it', 4
    from {told_by_column}
    where tanon_alike > 0 and tanon_values > 1 and tanon._is_named(tanon_folded, {keep:text})
    union all
    select
        case when regexp_matches(tanon_type, '^(DATE|TIME)') then 'further time' else 'nested' end,
        tanon_column, tanon_people, 1::double,
        case when regexp_matches(tanon_type, '^(DATE|TIME)')
            then 'it leaves as it is, however coarse ts is'
            else 'what is in it was not looked at one by one' end, 5
    from {told_by_column}
    where tanon._is_named(tanon_folded, {keep:text}) and tanon_people > 0
        and regexp_matches(tanon_type, '\]$|^(STRUCT|MAP|UNION|VARIANT|JSON)\b|^(DATE|TIME)')
end

step warned_of_groups
    select
        'together' as warning, null::varchar as affects, tanon_hits::bigint as respondents,
        tanon_hits / nullif(tanon_targets, 0) as share,
        'whoever knows all that is kept finds them, though no column alone tells as much' as advice,
        3 as tanon_place
    from {attacked}
    where tanon_criterion = 'singling out'
        and tanon_hits > coalesce((
            select max(tanon_alone)
            from {told_by_column}
            where tanon._is_named(tanon_folded, {keep:text})
        ), 0)
    union all
    select
        'several rows', null, tanon_several, tanon_several / nullif(tanon_released, 0),
        'k counts each group by itself; who can link the rows of somebody looks for those in all '
            || 'of their groups: trail of tanon.risk_by_granularity', 6
    from {counted_people}
    where tanon_several > 0
    union all
    select
        'nobody left', null, tanon_everybody - tanon_released,
        1 - tanon_released / nullif(tanon_everybody, 0),
        'none of their rows is in the release: it counts fewer people than there are', 7
    from {counted_people}
    where tanon_released < tanon_everybody
    {if not tanon._is_more_than_time(
        ts, hierarchies, choose_by, limits, presence, suppression, remainder)}
    union all
    select
        'not acceptable', null, (
            select coalesce(sum(tanon_f), 0)::bigint from {groups_at_chosen} where tanon_f < {k}
        ), tanon_share, 'no granularity leaves out ' || {max_suppression} || ' or less; '
            || tanon_name || ' leaves out the least', 1
    from {judged} join {nearest_granularity} using (tanon_name)
    where not tanon_acceptable
    {end}
end

step warned
    from {warned_of_columns}
    union all
    from {warned_of_groups}
    union all
    select
        'no limits', tanon_column, tanon_released, 1::double,
        'a sensitive column: all in a group may have the same value of it', 4
    from {sensitive_without_limits}, {counted_people}
    where tanon_released > 0
    union all by name
    from {warned_of_identifiers}
end
