-- What a repositioned stream does not hold against, and what its readers notice.
-- Yields: warned_of_stream
-- Reads: counts_at_home, counts_published, flows, gone_alike, persons_with_several,
--   repeated_cells, shares_by_day, window_errors
-- Takes: respondent, ts, sensitive, w, repeats, lateness

-- Of those who went one way from their true snapshot, the most frequent value: by the way, and by
-- the snapshot alone.
step ways_known
    select
        case when tanon_slot is null then 4 else 3 end as tanon_place, sum(tanon_late) as tanon_n,
        max(tanon_most / tanon_late) as tanon_worst,
        sum(tanon_most) / sum(tanon_late) as tanon_mean,
        -- whole numbers add up to the same in any order
        sum((tanon_share * tanon_late * 1e12)::hugeint) / 1e12 / sum(tanon_late) as tanon_by_day
    from {gone_alike} join {shares_by_day} using (tanon_home)
    where not tanon_stayed
    group by tanon_place
    having bool_or(tanon_most / tanon_late > tanon_share + 1e-9)
end

step moved_in_all
    select
        sum(tanon_records)::bigint as tanon_all,
        coalesce(sum(tanon_records) filter (tanon_slot is null), 0)::bigint as tanon_lost,
        coalesce(sum(tanon_records) filter (tanon_slot is distinct from tanon_home), 0)::bigint
            as tanon_gone
    from {flows}
    having count(*) > 0
end

step repeats_gone when repeats = 'one'
    select sum(tanon_records - tanon_is_kept::integer)::bigint as tanon_n
    from {repeated_cells}
    having tanon_n > 0
end

step warned_of_persons
    select
        8 as tanon_place, 'several records' as warning, {respondent:text} as affects,
        tanon_records as records, tanon_records / (
            tanon_all {if repeats = 'one'} + coalesce((from {repeats_gone}), 0) {end}
        ) as share,
        tanon_persons || ' persons with several records: l bounds what one published snapshot '
            || 'tells of a person, and not what several snapshots together tell' as advice
    from {persons_with_several}, {moved_in_all}
    where tanon_persons > 0
    {if repeats = 'one'}
    union all
    select
        9, 'repeats lost', {respondent:text}, tanon_n, tanon_n / (tanon_all + tanon_n),
        'records that are in no snapshot, as they lie less than ' || {w}
            || ' snapshots after another one of the same person'
    from {repeats_gone}, {moved_in_all}
    {end}
end

step snapshots_published
    select tanon_slot, sum(tanon_n) as tanon_n, max(tanon_n) / sum(tanon_n) as tanon_share
    from {counts_published}
    group by tanon_slot
end

step snapshots_gone
    select sum(tanon_records)::bigint as tanon_n, count(distinct tanon_home) as tanon_snapshots
    from {counts_at_home} anti join {counts_published} on tanon_home = tanon_slot
    having count(*) > 0
end

step values_gone
    select sum(tanon_records)::bigint as tanon_n, count(distinct tanon_value) as tanon_values
    from {counts_at_home} anti join {counts_published} using (tanon_value)
    having count(*) > 0
end

step warned_of_guesses
    select
        1 as tanon_place, 'best guess' as warning, {sensitive:text} as affects,
        sum(tanon_n) filter (tanon_share = tanon_worst)::bigint as records,
        any_value(tanon_worst) as share,
        'whoever knows the published snapshot and guesses its most frequent value is right so '
            || 'often, in ' || count(*) filter (tanon_share = tanon_worst) || ' of ' || count(*)
            || ' snapshots: this is promised, and no less' as advice
    from {snapshots_published}, (
        select max(tanon_share) as tanon_worst from {snapshots_published}
    )
    having count(*) > 0
    union all
    select
        tanon_place,
        case tanon_place when 3 then 'true day of the late' else 'true day of the missing' end,
        {ts:text}, tanon_n::bigint, tanon_worst,
        'whoever knows the true snapshot and sees that a record ' || case tanon_place when 3
            then 'is late' else 'is in none' end || ' is right so often at worst, '
            || round(100 * tanon_mean, 1) || ' % on average, where the snapshot alone tells '
            || round(100 * tanon_by_day, 1) || ' %'
            || case {lateness} when 'any' then ': lateness := ''covered'' holds against them'
                else '' end
    from {ways_known}
end

-- The most frequent value of all suppressed records, where it says more than the whole stream.
step values_missing
    select sum(tanon_lost)::bigint as tanon_n, max(tanon_lost) / sum(tanon_lost) as tanon_share
    from (
        select tanon_value, sum(tanon_records) filter (tanon_slot is null) as tanon_lost,
            sum(tanon_records) as tanon_there
        from {flows}
        group by tanon_value
    )
    having max(tanon_lost) * sum(tanon_there) > max(tanon_there) * sum(tanon_lost)
end

step warned_of_stream
    from {warned_of_guesses}
    union all
    select
        10, 'missing', {sensitive:text}, tanon_n, tanon_share,
        'suppressed records: somebody who knows only that a person is in the stream, and finds '
            || 'them in no snapshot, is right so often by guessing one value'
    from {values_missing}
    union all
    select
        2, 'suppressed', null, tanon_lost, tanon_lost / tanon_all,
        'records that are in no snapshot: nothing that is counted holds them'
    from {moved_in_all}
    where tanon_lost > 0
    union all
    select
        5, 'values lost', {sensitive:text}, tanon_n, tanon_n / tanon_all,
        tanon_values || ' values of which no record is published: that they occur is not told'
    from {values_gone}, {moved_in_all}
    union all
    select
        6, 'snapshots lost', {ts:text}, tanon_n, tanon_n / tanon_all,
        tanon_snapshots || ' snapshots that had records and publish none: the gap is seen, and '
            || 'looks like a day on which nothing happened'
    from {snapshots_gone}, {moved_in_all}
    union all
    select
        7, 'counts', {ts:text}, tanon_gone, tanon_error,
        'records that are late or missing: so far is the count of a value in a snapshot from the '
            || 'true one, as a mean of relative errors'
    from {moved_in_all}, {window_errors}
    where tanon_length = 1 and tanon_gone > 0
    union all
    from {warned_of_persons}
end
