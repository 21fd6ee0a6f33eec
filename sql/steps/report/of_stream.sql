-- What became of a stream: facts of a report. The function says what the eligibility
-- of each snapshot is, and what `guesses` are right, by snapshot as well.
-- Yields: facts_of_stream
-- Reads: eligibility, guesses, rows_by_snapshot, summed, warned_of_moves
-- Takes: l, w

step facts_of_stream
    select
        1 as tanon_part, 1::bigint as tanon_place, 'release' as section, [
            tanon._fact('records released', null, records - suppressed, null, null, null, true),
            tanon._fact('snapshots', null, snapshots, null, null, null, true),
            tanon._fact('records', null, records, null, null, null, false),
            tanon._fact('moved', null, moved, null, null, null, false),
            tanon._fact('suppressed', null, suppressed, null, null, null, false)
        ] as facts
    from {summed}
    union all
    select 2, 1, 'promise', [
            tanon._fact('snapshots that are not eligible', null, snapshots - eligible_after, 0,
                eligible_after = snapshots, (snapshots - eligible_before) || ' before', true),
            tanon._fact('longest move', null, max_distance, {w} - 1,
                coalesce(max_distance <= {w} - 1, true), 'snapshots', true)
        ]
    from {summed}
    union all
    select 3, row_number() over (
        order by tanon_start asc nulls last, tanon_when asc nulls last
    ), 'eligibility', [
            tanon._fact(tanon_when, tanon_start::varchar, max_l,
                tanon._numerator({l}) / tanon._denominator({l}), eligible,
                records || ' records', false)
        ]
    from {eligibility}
    union all
    select 5, tanon_step.key, 'distances', [tanon._fact('records', tanon_step.key::varchar,
        tanon_step.value, null, null, 'snapshots later', false)]
    from (select unnest(map_entries(distances)) as tanon_step from {summed})
    union all
    select 6, 1, 'loss', [
            tanon._fact('information loss', null, information_loss, null, null, null, true),
            tanon._fact('mean distance', null, mean_distance, null, null, 'snapshots', true),
            tanon._fact('error of counts a snapshot', null, window_error_1, null, null,
                'mean relative error of the counts of each value', true),
            tanon._fact('error of counts in 7', null, window_error_7, null, null,
                'the same over windows of 7 snapshots', true),
            tanon._fact('error of counts in 30', null, window_error_30, null, null,
                'the same over windows of 30 snapshots', true)
        ]
    from {summed}
    union all
    select 11, 1, 'attacks',
        tanon._attack_facts('inference', 'the snapshot', tanon_rate, tanon_span,
            tanon._denominator({l}) / tanon._numerator({l}),
            'knows the published snapshot and guesses its most frequent value',
            tanon_usual / tanon_all, tanon_raw / tanon_all, tanon_rows)
    from (
        select
            *, tanon_by_day / nullif(tanon_rows, 0) as tanon_rate,
            tanon._interval(tanon_rate, tanon_rows) as tanon_span
        from {rows_by_snapshot}, {guesses}
    )
    where tanon_rows > 0
    union all
    select
        12, row_number() over (order by warning asc nulls last, affects asc nulls last), 'warnings',
        -- Of what is gone only its owner knows that it was there.
        [tanon._fact(warning, affects, share, null, null, advice,
            not ends_with(warning, ' lost') and warning not in ('several records', 'missing'))]
    from {warned_of_moves}
end
