with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "cases")
    union all by name select null as "age", null as "day", null as "disease", null as "district", null as "person" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.report_stream: source must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "cases")
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source_is_fine as (
    select coalesce(error(coalesce(
        (select arg_min(said, place) from (
            select place, say || ', got ''' || x || case
                when bool_or(it) then ''' of type ' || any_value(column_type) filter (it)
                    || case when bool_or(it and column_type = 'VARCHAR') then hint
                        when bool_or(it and is_mixed) then '; cast a VARIANT first, as in (select '
                            || format('* replace ({0}::varchar as {0}) from ...)',
                                '"' || replace(x, '"', '""') || '"')
                        else '' end
                else '''; did you mean ' || arg_min(column_name, levenshtein(folded, wanted))
                    || '?' end as said
            from (select *, folded = wanted as it, regexp_matches(column_type, '^(([^''"]|''[^'']*''|"[^"]*")*[ (])?VARIANT(\[\d*\])*([,)]|$)') as is_mixed
                from tanon_columns_of_source, (values
                (0, 'day', 'day',
                    'tanon.report_stream: ts must be an integer column or a DATE or TIMESTAMP column of source',
                    'U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|DATE|TIMESTAMP.*', '; cast texts first, as in (select * replace ("day"::timestamp as "day") from ...)'),
                (1000000, 'disease', 'disease', 'tanon.report_stream: sensitive must be a column of source', '', ''),
                (2000000, 'person', 'person', 'tanon.report_stream: respondent must be a column of source', '', ''),
                (3000001, 'age', 'age', 'tanon.report_stream: qi must be columns of source, none twice', '', ''),
                (3000002, 'district', 'district', 'tanon.report_stream: qi must be columns of source, none twice', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.report_stream: ts must be free of NULL, got ' || count(*) || ' rows with NULL in day'
        from tanon_given_source where "day" is null
        having count(*) > 0),
        (select 'tanon.report_stream: respondent must be free of NULL, got ' || count(*) || ' rows with NULL in person'
        from tanon_given_source where "person" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/steps/reposition/cells.sql
tanon_times_can_be_cut as (
select coalesce(error('tanon.report_stream' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select tanon_problem || ', got ' || case when starts_with(tanon_problem, 'granularity')
        then coalesce(NULL, 'NULL')
        else min("day"::varchar) || ' and ' || count(*) - 1 || ' more' end
    from (
        select "day",
            tanon._snapshot_problem("day",
            struct_pack(whole := 0, us := 86400000000, months := 0, origin := 946857600000000)) as tanon_problem from tanon_source
    )
    where tanon_problem is not null
    group by tanon_problem
    order by tanon_problem asc nulls last
    limit 1
) as tanon_messages(tanon_message)
),
-- sql/steps/report/repositioned.sql
tanon_rows_to_report as not materialized (
    from tanon_source where (select tanon_fine from tanon_times_can_be_cut)
),
-- sql/steps/report/repositioned.sql
tanon_summed as materialized (
    from tanon.publish_stream( '(from tanon_rows_to_report)', respondent := 'person',
        rows_are_persons := false,
    repeats := 'separate', ts := 'day', sensitive := 'disease', l := '2',
        w := 4,
    granularity := NULL, move_cost := 'd',
    suppress_cost := NULL, method := 'step', start := 'stream',
        lateness := 'any',
    secret := NULL, result := 'summary') where (select count(*) >= 0 from tanon_rows_to_report)
),
-- sql/steps/report/repositioned.sql
tanon_eligibility_before as materialized (
    select 'before' as tanon_when, "day" as tanon_start, records, max_l, eligible
    from tanon.l_eligibility('(from tanon_rows_to_report)', 'day', 'disease',
        '2',
        NULL, 'person', false)
    where (select count(*) >= 0 from tanon_rows_to_report)
),
-- sql/steps/report/repositioned.sql
tanon_moved as materialized (
    from tanon.publish_stream( '(from tanon_rows_to_report)', respondent := 'person',
        rows_are_persons := false,
    repeats := 'separate', ts := 'day', sensitive := 'disease', l := '2',
        w := 4,
    granularity := NULL, move_cost := 'd',
    suppress_cost := NULL, method := 'step', start := 'stream',
        lateness := 'any',
    secret := NULL, keep := ['age', 'district']::varchar[], for_owner := true)
    where (select count(*) >= 0 from tanon_rows_to_report)
),
-- sql/functions/report/report_stream.sql
tanon_eligibility as materialized (
    from tanon_eligibility_before
    union all
    select 'after', tanon_start, sum(tanon_n)::bigint, sum(tanon_n) / max(tanon_n),
        not tanon._exceeds_share(max(tanon_n), sum(tanon_n), '2')
    from (
        select published_ts as tanon_start, "disease", count(*) as tanon_n
        from tanon_moved
        where published_ts is not null
        group by published_ts, "disease"
    )
    group by tanon_start
),
-- sql/functions/report/report_stream.sql
tanon_rows_by_snapshot as (
    select sum(tanon_most) as tanon_by_day, sum(tanon_n) as tanon_rows
    from (
        select max(n) as tanon_most, sum(n) as tanon_n
        from (
            select published_ts, count(*) as n
            from tanon_moved
            where published_ts is not null
            group by published_ts, "disease"
        )
        group by published_ts
    )
),
-- sql/steps/report/of_pair.sql
tanon_guesses as (
    select
        (select max(n) from (select count(*) as n from tanon_moved group by "disease")) as tanon_usual,
        (
            select sum(tanon_most) from (
                select max(n) as tanon_most
                from (
                    select "day" , "age", "district", count(*) as n
                    from tanon_moved
                    group by "day" , "age", "district", "disease"
                )
                group by "day" , "age", "district"
            )
        ) as tanon_raw,
        (select count(*) from tanon_moved) as tanon_all
),
-- sql/steps/report/repositioned.sql
tanon_warned_of_moves as (
    from tanon.publish_stream( '(from tanon_rows_to_report)', respondent := 'person',
        rows_are_persons := false,
    repeats := 'separate', ts := 'day', sensitive := 'disease', l := '2',
        w := 4,
    granularity := NULL, move_cost := 'd',
    suppress_cost := NULL, method := 'step', start := 'stream',
        lateness := 'any',
    secret := NULL, result := 'warnings') where (select count(*) >= 0 from tanon_rows_to_report)
),
-- sql/functions/report/report_stream.sql
tanon_facts_of_stream as (
    select
        1 as tanon_part, 1::bigint as tanon_place, 'release' as section, [
            tanon._fact('records released', null, records - suppressed, null, null, null, true),
            tanon._fact('snapshots', null, snapshots, null, null, null, true),
            tanon._fact('records', null, records, null, null, null, false),
            tanon._fact('moved', null, moved, null, null, null, false),
            tanon._fact('suppressed', null, suppressed, null, null, null, false)
        ] as facts
    from tanon_summed
    union all
    select 2, 1, 'promise', [
            tanon._fact('snapshots that are not eligible', null, snapshots - eligible_after, 0,
                eligible_after = snapshots, (snapshots - eligible_before) || ' before', true),
            tanon._fact('longest move', null, max_distance, 4 - 1,
                coalesce(max_distance <= 4 - 1, true), 'snapshots', true)
        ]
    from tanon_summed
    union all
    select 3, row_number() over (
        order by tanon_start asc nulls last, tanon_when asc nulls last
    ), 'eligibility', [
            tanon._fact(tanon_when, tanon_start::varchar, max_l,
                tanon._numerator('2') / tanon._denominator('2'), eligible,
                records || ' records', false)
        ]
    from tanon_eligibility
    union all
    select 5, tanon_step.key, 'distances', [tanon._fact('records', tanon_step.key::varchar,
        tanon_step.value, null, null, 'snapshots later', false)]
    from (select unnest(map_entries(distances)) as tanon_step from tanon_summed)
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
    from tanon_summed
    union all
    select 11, 1, 'attacks',
        tanon._attack_facts('inference', 'the snapshot', tanon_rate, tanon_span,
            tanon._denominator('2') / tanon._numerator('2'),
            'knows the published snapshot and guesses its most frequent value',
            tanon_usual / tanon_all, tanon_raw / tanon_all, tanon_rows)
    from (
        select
            *, tanon_by_day / nullif(tanon_rows, 0) as tanon_rate,
            tanon._interval(tanon_rate, tanon_rows) as tanon_span
        from tanon_rows_by_snapshot, tanon_guesses
    )
    where tanon_rows > 0
    union all
    select
        12, row_number() over (order by warning asc nulls last, affects asc nulls last), 'warnings',
        [tanon._fact(warning, affects, share, null, null, advice,
            not ends_with(warning, ' lost') and warning not in ('several records', 'missing'))]
    from tanon_warned_of_moves
),
-- sql/functions/report/report_stream.sql
tanon_outgoing_rows as materialized (
    select published_ts as "day" , "person" , "age", "district", "disease" from tanon_moved
        where published_ts is not null
),
-- sql/functions/report/report_stream.sql
tanon_dealt_values as materialized (
    from tanon.publish_table_pair('(from tanon_outgoing_rows)', result := 'values',
        qi := ['age', 'district']::varchar[], sensitive := 'disease', l := '2', partition := 'day',
    allow_identifying := ['age', 'district']::varchar[], respondent := 'person',
        rows_are_persons := false,
    secret := NULL)
    where (select count(*) >= 0 from tanon_outgoing_rows)
),
-- sql/steps/report/of_pair.sql
tanon_groups_dealt as materialized (
    select
        tanon_group, sum(tanon_n)::bigint as tanon_size, max(tanon_n)::bigint as tanon_most
    from (
        select a_group as tanon_group, records as tanon_n from tanon_dealt_values
    )
    group by tanon_group
),
-- sql/steps/report/of_pair.sql
tanon_all_dealt as (
    select
        coalesce(sum(tanon_size), 0)::bigint as tanon_rows, count(*) as tanon_groups,
        coalesce(sum(tanon_most), 0)::bigint as tanon_hits, max(tanon_most / tanon_size)
            as tanon_worst,
        coalesce(bool_and(not tanon._exceeds_share(tanon_most, tanon_size, '2')), true)
            as tanon_holds
    from tanon_groups_dealt
),
-- sql/functions/report/report_stream.sql
tanon_dealt_owners as materialized (
    from tanon.publish_table_pair('(from tanon_outgoing_rows)', result := 'individuals',
        qi := ['age', 'district']::varchar[], sensitive := 'disease', l := '2', partition := 'day',
    allow_identifying := ['age', 'district']::varchar[], respondent := 'person',
        rows_are_persons := false,
    secret := NULL,
        for_owner := true)
    where (select count(*) >= 0 from tanon_outgoing_rows)
),
-- sql/steps/report/of_pair.sql
tanon_dealt_people as materialized (
    select * exclude ("person") from tanon_dealt_owners
),
-- sql/steps/report/of_pair.sql
tanon_groups_that_differ as (
    select count(*) as tanon_differ
    from (
        select a_group as tanon_group, count(*) as tanon_size from tanon_dealt_people group by a_group
    ) as tanon_p full join tanon_groups_dealt as tanon_g on tanon_p.tanon_group = tanon_g.tanon_group
    where tanon_p.tanon_size is distinct from tanon_g.tanon_size
),
-- sql/steps/report/of_pair.sql
tanon_facts_of_pair as (
    select
        1 as tanon_part, 2::bigint as tanon_place, 'release' as section, [
            tanon._fact('rows released', 'in groups', tanon_rows, null, null, null, true),
            tanon._fact('groups', 'in groups', tanon_groups, null, null, null, true)
        ] as facts
    from tanon_all_dealt
    union all
    select 2, 2, 'promise', [
            tanon._fact('largest share of a value in a group', null, tanon_worst,
                tanon._denominator('2') / tanon._numerator('2'), tanon_holds,
                'of what is in the table of values', true),
            tanon._fact('groups that differ in both tables', null, tanon_differ, 0,
                tanon_differ = 0, null, true)
        ]
    from tanon_all_dealt, tanon_groups_that_differ
    union all
    select 4, tanon_size, 'group sizes',
        [tanon._fact('groups', tanon_size::varchar, count(*), null, null, 'rows', true)]
    from tanon_groups_dealt
    group by tanon_size
    union all
    select 11, 2, 'attacks',
        tanon._attack_facts('inference', 'the group', tanon_rate, tanon_span,
            tanon._denominator('2') / tanon._numerator('2'),
            'knows the quasi-identifiers, finds the group and guesses its most frequent value',
            tanon_usual / tanon_all, tanon_raw / tanon_all, tanon_rows)
    from (
        select
            *, tanon_hits / nullif(tanon_rows, 0) as tanon_rate,
            tanon._interval(tanon_rate, tanon_rows) as tanon_span
        from tanon_all_dealt, (select tanon_usual, tanon_raw, tanon_all from tanon_guesses)
    )
    where tanon_rows > 0
    union all
    select
        12, 100 + row_number() over (
            order by tanon_w.warning asc nulls last, tanon_w.affects asc nulls last
        ), 'warnings',
        [tanon._fact(tanon_w.warning, tanon_w.affects, tanon_w.share, null, null, tanon_w.advice,
            tanon_w.warning <> 'values in common')]
    from tanon.table_pair_warnings('(from tanon_dealt_people)', '(from tanon_dealt_values)',
        qi := ['age', 'district']::varchar[], sensitive := 'disease'
        , partition := 'day'
        , owner := '(from tanon_dealt_owners)',
            respondent := 'person'
    ) as tanon_w
    where (select count(*) >= 0 from tanon_dealt_people) and (select count(*) >= 0 from tanon_dealt_values)
        and (select count(*) >= 0 from tanon_dealt_owners)
),
-- sql/functions/report/report_stream.sql
tanon_facts as (
    from tanon_facts_of_stream
    union all
    from tanon_facts_of_pair
)
-- sql/functions/report/report_stream.sql
    select section, tanon_fact.*
    from (
        select
            tanon_part, tanon_place, section, unnest(facts) as tanon_fact,
            generate_subscripts(facts, 1) as tanon_number
        from tanon_facts
    )
    order by tanon_part asc nulls last, tanon_place asc nulls last, tanon_number asc nulls last
