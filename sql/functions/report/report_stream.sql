-- Returns the facts of the report about a stream of tanon.publish_stream.
--
-- Pass the arguments of tanon.publish_stream, with qi instead of keep. With qi,
-- tanon.publish_table_pair divides each snapshot into groups. tanon_duck.report draws these rows.
-- The sections are release, promise, eligibility, group sizes, distances, loss, utility, attacks
-- and warnings. The help of tanon.l_eligibility, tanon.publish_stream, tanon.publish_table_pair,
-- tanon.evaluate_table_pair and tanon.table_pair_warnings explains the figures. Rows with public =
-- false reveal facts of the source that only the owner may see.
--
-- Cost: four times the cost of tanon.publish_stream and twice the cost of tanon.publish_table_pair.
-- With queries, also the cost of tanon.evaluate_table_pair.
--
-- Arguments:
--   uses reposition
--   qi           columns or none = []                       the quasi-identifiers
--   uses asks
-- Checks:
--   qi  not tanon._share_a_name(qi, [ts::varchar, sensitive::varchar])  columns apart from
--       respondent, ts and sensitive
--   qi  not tanon._share_a_name(qi, respondent)  columns apart from respondent, ts and sensitive
--   l   tanon._is_rational_above(l, 1)  a rational number greater than 1 such as 3, 2.5 or '5/2'
-- Result:
--   uses facts
-- For: the owner
-- Example:
--   from tanon.report_stream('cases', respondent := 'person', ts := 'day', sensitive := 'disease',
--       l := 2, w := 4, qi := ['age', 'district'])

let partition = ts

-- What became of a stream: facts of a report. The function says what the eligibility
-- of each snapshot is, and what `guesses` are right, by snapshot as well.

-- Guesses of the most frequent value of each published snapshot: how many are right. The function
-- says what is `moved`.

step rows_by_snapshot
    select sum(tanon_most) as tanon_by_day, sum(tanon_n) as tanon_rows
    from (
        select max(n) as tanon_most, sum(n) as tanon_n
        from (
            select published_ts, count(*) as n
            from {moved}
            where published_ts is not null
            group by published_ts, {sensitive}
        )
        group by published_ts
    )
end

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

step eligibility materialized
    from {eligibility_before}
    union all
    select 'after', tanon_start, sum(tanon_n)::bigint, sum(tanon_n) / max(tanon_n),
        not tanon._exceeds_share(max(tanon_n), sum(tanon_n), {l})
    from (
        select published_ts as tanon_start, {sensitive}, count(*) as tanon_n
        from {moved}
        where published_ts is not null
        group by published_ts, {sensitive}
    )
    group by tanon_start
end

-- What is split, with its published snapshots; its two tables.
step outgoing_rows materialized
    select published_ts as {ts} {,respondent} {,qi}, {sensitive} from {moved}
        where published_ts is not null
end

piece dealing
    qi := {qi:text}, sensitive := {sensitive:text}, l := {tanon._text(l)}, partition := {ts:text},
    allow_identifying := {qi:text}, respondent := {respondent:text},
        rows_are_persons := {rows_are_persons},
    secret := {tanon._text(secret)}
end

step dealt_owners materialized
    from tanon.publish_table_pair('(from tanon_outgoing_rows)', result := 'individuals', {dealing},
        for_owner := {if respondent is null}false{else}true{end})
    where (select count(*) >= 0 from {outgoing_rows})
end

step dealt_values materialized
    from tanon.publish_table_pair('(from tanon_outgoing_rows)', result := 'values', {dealing})
    where (select count(*) >= 0 from {outgoing_rows})
end

use guesses = guessed(rows = moved)

step facts
    from {facts_of_stream}
    {if len(tanon._list(qi)) > 0}
    union all
    from {facts_of_pair}
    {if queries > 0}
    union all
    from {utility_of_pair}
    {end}
    {end}
end

{facts_in_order}
