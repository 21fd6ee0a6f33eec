with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "age", null as "diagnosis", null as "patient", null as "sex" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.report_table_pair: source must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "visits")
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
                (1, 'age', 'age', 'tanon.report_table_pair: qi must be columns of source, none twice', '', ''),
                (2, 'sex', 'sex', 'tanon.report_table_pair: qi must be columns of source, none twice', '', ''),
                (1000000, 'diagnosis', 'diagnosis', 'tanon.report_table_pair: sensitive must be a column of source', '', ''),
                (3000000, 'patient', 'patient', 'tanon.report_table_pair: respondent must be a column of source', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.report_table_pair: respondent must be free of NULL, got ' || count(*) || ' rows with NULL in patient'
        from tanon_given_source where "patient" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/functions/report/report_table_pair.sql
tanon_dealt_values as materialized (
    from tanon.publish_table_pair('(from tanon_source)', result := 'values', qi := ['age', 'sex']::varchar[], sensitive := 'diagnosis', l := '2',
        allow_identifying := []::varchar[],
    respondent := 'patient', rows_are_persons := false,
    secret := NULL)
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
-- sql/functions/report/report_table_pair.sql
tanon_dealt_owners as materialized (
    from tanon.publish_table_pair('(from tanon_source)', result := 'individuals', qi := ['age', 'sex']::varchar[], sensitive := 'diagnosis', l := '2',
        allow_identifying := []::varchar[],
    respondent := 'patient', rows_are_persons := false,
    secret := NULL,
        for_owner := true)
),
-- sql/steps/report/of_pair.sql
tanon_dealt_people as materialized (
    select * exclude ("patient") from tanon_dealt_owners
),
-- sql/steps/report/of_pair.sql
tanon_groups_that_differ as (
    select count(*) as tanon_differ
    from (
        select a_group as tanon_group, count(*) as tanon_size from tanon_dealt_people group by a_group
    ) as tanon_p full join tanon_groups_dealt as tanon_g on tanon_p.tanon_group = tanon_g.tanon_group
    where tanon_p.tanon_size is distinct from tanon_g.tanon_size
),
-- sql/functions/report/report_table_pair.sql
tanon_rows_guessed as not materialized (
    from tanon_source
),
-- sql/steps/report/of_pair.sql
tanon_guesses as (
    select
        (select max(n) from (select count(*) as n from tanon_rows_guessed group by "diagnosis")) as tanon_usual,
        (
            select sum(tanon_most) from (
                select max(n) as tanon_most
                from (
                    select "age", "sex", count(*) as n
                    from tanon_rows_guessed
                    group by "age", "sex", "diagnosis"
                )
                group by "age", "sex"
            )
        ) as tanon_raw,
        (select count(*) from tanon_rows_guessed) as tanon_all
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
        qi := ['age', 'sex']::varchar[], sensitive := 'diagnosis'
        , owner := '(from tanon_dealt_owners)',
            respondent := 'patient'
    ) as tanon_w
    where (select count(*) >= 0 from tanon_dealt_people) and (select count(*) >= 0 from tanon_dealt_values)
        and (select count(*) >= 0 from tanon_dealt_owners)
),
-- sql/steps/report/of_pair.sql
tanon_answers_of_groups as (
    from tanon.evaluate_table_pair('(from tanon_dealt_people)', '(from tanon_dealt_values)',
        '(from tanon_source)', ['age', 'sex']::varchar[], 'diagnosis', greatest(100, 1))
    where (select count(*) >= 0 from tanon_dealt_people) and (select count(*) >= 0 from tanon_dealt_values)
),
-- sql/steps/report/of_answers.sql
tanon_utility_of_pair as (
    select
        10 as tanon_part, list_position(['none', 'below 0.1 %', '0.1 to 1 %', '1 to 10 %',
            '10 % and more', 'all'], selectivity)::bigint as tanon_place,
        'utility' as section, [
            tanon._fact('queries', selectivity, queries, null, null, null, tanon_is_public),
            tanon._fact('median relative error', selectivity, median_relative_error, null, null,
                null, tanon_is_public),
            tanon._fact('ninth decile', selectivity, ninth_decile, null, null, null, false),
            tanon._fact('median absolute error', selectivity, median_absolute_error, null, null,
                null, false)
        ] as facts
    from (
        select *, selectivity in ('1 to 10 %', '10 % and more', 'all') as tanon_is_public
        from tanon_answers_of_groups
    )
),
-- sql/functions/report/report_table_pair.sql
tanon_facts as (
    from tanon_facts_of_pair
    union all
    from tanon_utility_of_pair
)
-- sql/functions/report/report_table_pair.sql
    select section, tanon_fact.*
    from (
        select
            tanon_part, tanon_place, section, unnest(facts) as tanon_fact,
            generate_subscripts(facts, 1) as tanon_number
        from tanon_facts
    )
    order by tanon_part asc nulls last, tanon_place asc nulls last, tanon_number asc nulls last
