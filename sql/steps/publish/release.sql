-- The rows that are released, still with their respondents, and what they are checked for: all of
-- it is counted again from the rows themselves. Rows left out that the remainder shows are among
-- them as tanon_is_rest.
-- Yields: release, k_holds, few_are_left_out, uid_is_there_once, rows_that_stay
-- Reads: groups_below_k, hidden, one_is_acceptable, rows_in_choice, sharing
-- Takes: source, respondent, qi, ts, k, max_suppression, keep, suppression, remainder, limits,
--   presence

-- Under which label rows left out are shown: under that of their period, or, where fewer than k
-- respondents are left out in it, under '*' with those of other such periods; where these are too
-- few, with the period that has the fewest, and where all together are, not at all.

step people_left_out materialized
    select {tanon_r.respondent} as tanon_uid, coalesce(tanon_r.tanon_label, '') as tanon_period
    from {rows_in_choice} as tanon_r join {hidden} as tanon_b
        on {for q in tanon._list(qi) joined by ' and '}
            tanon_r.{q:name} is not distinct from tanon_b.{q:name}
        {end} and tanon_r.tanon_granule = tanon_b.tanon_granule
    where tanon_mask is null
    group by {tanon_r.respondent}, tanon_period
end

step periods_left_out
    select
        tanon_period, count(*) < {k} as tanon_is_small,
        row_number() over (
            order by
                count(*) < {k} asc nulls last,
                count(*) asc nulls last,
                tanon_period asc nulls last
        ) as tanon_rank
    from {people_left_out}
    group by tanon_period
end

step small_periods
    select count(distinct tanon_uid) as tanon_f
    from {people_left_out} join {periods_left_out} using (tanon_period)
    where tanon_is_small
end

step periods_shown
    select
        tanon_period,
        case when tanon_is_small or tanon_rank = 1 and tanon_f between 1 and {k} - 1
            then '*' else tanon_period end as tanon_shown
    from {periods_left_out}, {small_periods}
end

step remainder_labels materialized
    select *
    from {periods_shown}
    where tanon_shown in (
        select tanon_shown
        from {people_left_out} join {periods_shown} using (tanon_period)
        group by tanon_shown
        having count(distinct tanon_uid) >= {k}
    )
end

step release materialized
    {if suppression = 'cells'}
    select
        {tanon_r.respondent},
        {for q in tanon._list(qi) joined by ''}
        case when tanon_mask & {tanon._bit_text(q, qi)} <> 0 then '*'
            else tanon._value_text(tanon_r.{q:name}) end as {q:name},
        {end}
        {if ts is not null}tanon_label as {ts},{end} {keep,}
        coalesce(bit_count(tanon_mask), 0) as tanon_cells, false as tanon_is_rest
    from {rows_in_choice} as tanon_r left join {hidden} as tanon_b
        on {for q in tanon._list(qi) joined by ' and '}
            tanon_r.{q:name} is not distinct from tanon_b.{q:name}
        {end} and tanon_r.tanon_granule = tanon_b.tanon_granule
    where tanon_b.tanon_granule is null or tanon_mask is not null
    {else}
    select
        {respondent},
        {for q in tanon._list(qi) joined by ''}
        {if remainder}tanon._value_text({q:name}){else}{q:name}{end} as {q:name},
        {end}
        {if ts is not null}tanon_label as {ts},{end} {keep,}
        0 as tanon_cells, false as tanon_is_rest
        {if limits is not null}, tanon_label, tanon_secret{end}
        {if presence is not null}, tanon_granule{end}
    from {rows_in_choice} as tanon_r
    where not exists (
        from {groups_below_k} as tanon_b
        where {for q in tanon._list(qi) joined by ' and '}
            tanon_r.{q:name} is not distinct from tanon_b.{q:name}
        {end} and tanon_r.tanon_granule = tanon_b.tanon_granule
    )
    {end}
    {if remainder}
    union all
    select
        {tanon_r.respondent}, {for q in tanon._list(qi) joined by ''}'*', {end}
        {if ts is not null}tanon_shown,{end}
        {for c in tanon._list(keep) joined by ''}null, {end} 0, true
        {if limits is not null}, null, null{end}
        {if presence is not null}, null{end}
    from {rows_in_choice} as tanon_r join {hidden} as tanon_b
        on {for q in tanon._list(qi) joined by ' and '}
            tanon_r.{q:name} is not distinct from tanon_b.{q:name}
        {end} and tanon_r.tanon_granule = tanon_b.tanon_granule and tanon_mask is null
    join {remainder_labels} on coalesce(tanon_r.tanon_label, '') = tanon_period
    {end}
end

-- Those that the remainder shows are apart, and must reach k by themselves.
step rows_that_leave not materialized
    select tanon_is_rest as tanon_all, {respondent} as tanon_whose, 1 as tanon_times, *
        from {release}
end

use sharing_the_release = sharing(rows = rows_that_leave)

guard k_holds on release
    select 'k must hold in the release, got ' || count(*)
        || ' groups of fewer respondents, where values that a collation takes for one but that are'
        || ' spelled differently are groups of their own: nothing was published; spell them alike'
        || ' first, as with lower'
    from {sharing_the_release}
    where tanon_people < {k}
    having count(*) > 0
end

step rows_that_stay
    select tanon_rows, tanon_kept
    from (select count(*) as tanon_rows from {source}),
        (select count(*) as tanon_kept from {release} where not tanon_is_rest)
end

guard few_are_left_out on release
    select 'max_suppression must hold in the release, got ' || (tanon_rows - tanon_kept) || ' of '
        || tanon_rows || ' rows left out: nothing was published'
    from {rows_that_stay}
    where tanon_rows - tanon_kept > {max_suppression} * tanon_rows and {checked one_is_acceptable}
end

guard uid_is_there_once on release
    select 'source must have ' || {respondent:text} || ' once, got ' || min(column_name)
        || ', the name of the second where a join has two'
    from {source:columns}
    where folded = tanon._folded({respondent:text}) || '_1'
    having count(*) > 0
end
