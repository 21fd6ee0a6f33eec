with
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_given_release as materialized (
    from (select * not similar to '(?i)tanon_.*' from (select name, p.* from incomes join published_incomes as p using (charity)))
    union all by name select null::DOUBLE[] as low, null::DOUBLE[] as high, null::VARCHAR as word,
        null::INTEGER as level, null as "charity", null as "name" where false
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_columns_of_release as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.report_series: release must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from (select name, p.* from incomes join published_incomes as p using (charity)))
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release_is_fine as (
    select coalesce(error(coalesce(
        (select
            'tanon.report_series: release must be a table, a view or a query in parentheses with columns low, high, word, level'
            || ', got one without ' || string_agg(wanted, ', ')
        from (select unnest(['low', 'high', 'word', 'level']::varchar[]) as wanted)
        where wanted not in (select folded from tanon_columns_of_release)
        having count(*) > 0),
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
                from tanon_columns_of_release, (values
                (0, 'name', 'name', 'tanon.report_series: series_id must be a column of release', '', ''),
                (1000001, 'charity', 'charity',
                    'tanon.report_series: sensitive must be columns of release, none twice, each a column that is not nested',
                    '[^\[(]*|(DECIMAL|ENUM)\(.*\)', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.report_series: series_id must be free of NULL, got ' || count(*) || ' rows with NULL in name'
        from tanon_given_release where "name" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release as not materialized (
    from tanon_given_release where (select fine from tanon_release_is_fine)
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as materialized (
    from (select * not similar to '(?i)tanon_.*' from (select name, incomes as yearly, charity from incomes))
    union all by name select null as "charity", null as "name", null as "yearly" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.report_series: source must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from (select name, incomes as yearly, charity from incomes))
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
                (0, 'name', 'name', 'tanon.report_series: series_id must be a column of source', '', ''),
                (1000001, 'yearly', 'yearly',
                    'tanon.report_series: series must be columns of source, none twice, each a column of lists of numbers or a numeric column',
                    '(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\))\[\d*\]|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)', ''),
                (2000001, 'charity', 'charity',
                    'tanon.report_series: sensitive must be columns of source, none twice, each a column that is not nested',
                    '[^\[(]*|(DECIMAL|ENUM)\(.*\)', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.report_series: series_id must be free of NULL, got ' || count(*) || ' rows with NULL in name'
        from tanon_given_source where "name" is null
        having count(*) > 0),
        (select 'tanon.report_series: series must be free of NULL, got ' || count(*) || ' rows with NULL in yearly'
        from tanon_given_source where "yearly" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/functions/report/report_series.sql
tanon_classes as materialized (
    select low, high, word, level, count(*) as tanon_n,
        row_number() over (order by low asc nulls last, high asc nulls last, word asc nulls last,
            level asc nulls last) as tanon_class
    from tanon_release
    group by low, high, word, level
),
-- sql/functions/report/report_series.sql
tanon_series_rows as (
    select "name" as tanon_id,
        tanon._exact('tanon.report_series', typeof("yearly"), tanon._readings("yearly"))
     as tanon_values from tanon_source
),
-- sql/steps/series/fine.sql
tanon_series_length as (
    select max(len(tanon_values)) as tanon_points from tanon_series_rows
),
-- sql/steps/series/fine.sql
tanon_series_faults as (
    select tanon_id, 1 as tanon_order, 'series_id must be unique, got ' as tanon_fault,
        ' ids that repeat' as tanon_what
    from tanon_series_rows group by tanon_id having count(*) > 1
    union all
    select
        tanon_id,
        case when tanon_values is null or tanon_values is distinct from list_filter(
            tanon_values, lambda v: coalesce(isfinite(v), false)) then 2
        when len(tanon_values) <> tanon_points then 3
        when tanon_points < 2 then 4 else 5 end as tanon_order,
        case tanon_order
            when 2 then 'series must be free of NULL, NaN and infinity, got '
            when 3 then 'series must be of one length (' || tanon_points || ' readings), got '
            when 4 then 'series must be at least 2 readings, got '
            else 'series must be at most 16384 readings, got ' end,
        case tanon_order when 2 then ' series that are not'
            when 3 then ' of other lengths' when 4 then ' shorter series'
            else ' of ' || tanon_points end
    from tanon_series_rows, tanon_series_length
    where tanon_values is null or tanon_points not between 2 and 16384
        or len(tanon_values) <> tanon_points
        or not list_bool_and(list_transform(
            tanon_values, lambda v: coalesce(isfinite(v), false)))
),
-- sql/steps/series/fine.sql
tanon_series_are_fine as (
select coalesce(error('tanon.report_series' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select any_value(tanon_fault) || count(*) || any_value(tanon_what)
        || ': ' || array_to_string(
            list(tanon_id::varchar order by tanon_id::varchar asc nulls last)[:5], ', ')
        || case when count(*) > 5 then ', ...' else '' end
        || case when min(tanon_order) = 1
            then '; tanon.series_from_rows makes one series of several rows' else '' end
    from tanon_series_faults
    where tanon_order = (select min(tanon_order) from tanon_series_faults)
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/functions/report/report_series.sql
tanon_series_to_compare as (
    select "name",
        tanon._exact('tanon.report_series', typeof("yearly"), tanon._readings("yearly"))
     as
        "the readings of yearly"
        , "charity"
    from tanon_source
    where (select tanon_fine from tanon_series_are_fine)
),
-- sql/functions/report/report_series.sql
tanon_facts as (
    select
        1 as tanon_part, 1::bigint as tanon_place, 'release' as section, [
            tanon._fact('series released', null, coalesce(sum(tanon_n), 0), null, null, null, true),
            tanon._fact('words', null, count(*), null, null, null, true),
            tanon._fact('ranges', null, count(distinct (low, high)), null, null, null, true)
        ] as facts
    from tanon_classes
    union all
    select 2, 1, 'promise', [
            tanon._fact('series that share their ranges', null,
                (select min(n) from (select sum(tanon_n) as n from tanon_classes group by low, high)),
                12, count(*) filter (word is null) = 0, null, true),
            tanon._fact('of them, that share their word', null,
                (select min(tanon_n) from tanon_classes), 6, count(*) filter (word is not null) = 0,
                null, true)
        ]
    from tanon.series_violations('(select low, high, word, level from tanon_release)', 12, 6)
    union all
    select 3, tanon_class, 'words', [tanon._fact(word, tanon_class::varchar, tanon_n, level, null,
        (to_json([low, high]))::varchar, false)]
    from tanon_classes
    union all
    select 4, 1, 'loss', [
            tanon._fact('series left out', null, suppressed, null, null, null, false),
            tanon._fact('value loss', null, value_loss, null, null,
                'how wide ranges are on average', true),
            tanon._fact('pattern loss', null, pattern_loss, null, null,
                'how far words are from the shapes: 0 is the same, 2 the opposite', true)
        ]
    from tanon.series_loss( '(from tanon_release)', '(from tanon_series_to_compare)', 'name',
        'the readings of yearly')
    where (select count(*) >= 0 from tanon_series_to_compare)
    union all
    select 5, 1, 'breach', [
            tanon._fact('worst by values', null, max(by_values), null, null, null, true),
            tanon._fact('worst by pattern', null, max(by_pattern), null, null, null, true),
            tanon._fact('worst by both', null, max(by_both), 1 / 6, max(by_both) <= 1 / 6,
                'the chance of the sensitive value for who knows values and pattern', true)
        ]
    from tanon.series_breach( '(from tanon_release)', '(from tanon_series_to_compare)', 'name',
        'the readings of yearly', ['charity']::varchar[])
    union all
    select 7, list_position(['unified', 'values', 'pattern'], 'unified'), 'attacks', [
            tanon._fact('inference', 'unified', hit_rate, promised, null,
                'knows ' || case 'unified' when 'unified' then 'values and pattern' else 'unified' end
                || ' of a series and guesses its sensitive value', true),
            tanon._fact('low', 'unified', low, null, null, 'inference', true),
            tanon._fact('high', 'unified', high, null, null, 'inference', true),
            tanon._fact('baseline', 'unified', promised, null, null, 'inference', true),
            tanon._fact('targets', 'unified', targets, null, null, 'inference', false)
        ]
    from tanon.series_attack( '(from tanon_release)', '(from tanon_series_to_compare)', 'name',
        'the readings of yearly', ['charity']::varchar[], 'unified')
     union all
    select 7, list_position(['unified', 'values', 'pattern'], 'values'), 'attacks', [
            tanon._fact('inference', 'values', hit_rate, promised, null,
                'knows ' || case 'values' when 'unified' then 'values and pattern' else 'values' end
                || ' of a series and guesses its sensitive value', true),
            tanon._fact('low', 'values', low, null, null, 'inference', true),
            tanon._fact('high', 'values', high, null, null, 'inference', true),
            tanon._fact('baseline', 'values', promised, null, null, 'inference', true),
            tanon._fact('targets', 'values', targets, null, null, 'inference', false)
        ]
    from tanon.series_attack( '(from tanon_release)', '(from tanon_series_to_compare)', 'name',
        'the readings of yearly', ['charity']::varchar[], 'values')
     union all
    select 7, list_position(['unified', 'values', 'pattern'], 'pattern'), 'attacks', [
            tanon._fact('inference', 'pattern', hit_rate, promised, null,
                'knows ' || case 'pattern' when 'unified' then 'values and pattern' else 'pattern' end
                || ' of a series and guesses its sensitive value', true),
            tanon._fact('low', 'pattern', low, null, null, 'inference', true),
            tanon._fact('high', 'pattern', high, null, null, 'inference', true),
            tanon._fact('baseline', 'pattern', promised, null, null, 'inference', true),
            tanon._fact('targets', 'pattern', targets, null, null, 'inference', false)
        ]
    from tanon.series_attack( '(from tanon_release)', '(from tanon_series_to_compare)', 'name',
        'the readings of yearly', ['charity']::varchar[], 'pattern')
    union all
    select 8, row_number() over (order by warning asc nulls last, affects asc nulls last),
        'warnings',
        [tanon._fact(warning, affects, share, null, null, advice, true)]
    from tanon.series_warnings('(select low, high, word, level, "charity" from tanon_release)', ['charity']::varchar[])
)
-- sql/functions/report/report_series.sql
    select section, tanon_fact.*
    from (
        select
            tanon_part, tanon_place, section, unnest(facts) as tanon_fact,
            generate_subscripts(facts, 1) as tanon_number
        from tanon_facts
    )
    order by tanon_part asc nulls last, tanon_place asc nulls last, tanon_number asc nulls last
