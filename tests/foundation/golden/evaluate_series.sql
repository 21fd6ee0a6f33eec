with
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_given_release as materialized (
    from (select * not similar to '(?i)tanon_.*' from (select name, p.* from incomes join published_incomes as p using (charity)))
    union all by name select null::DOUBLE[] as low, null::DOUBLE[] as high, null::VARCHAR as word, null::INTEGER as level, null as "name" where false
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_columns_of_release as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.evaluate_series: release must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from (select name, p.* from incomes join published_incomes as p using (charity)))
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release_is_fine as (
    select coalesce(error(coalesce(
        (select
            'tanon.evaluate_series: release must be a table, a view or a query in parentheses with columns low, high, word, level'
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
                (0, 'name', 'name', 'tanon.evaluate_series: series_id must be a column of release', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.evaluate_series: series_id must be free of NULL, got ' || count(*) || ' rows with NULL in name'
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
    from (select * not similar to '(?i)tanon_.*' from (select name, incomes as yearly from incomes))
    union all by name select null as "name", null as "yearly" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.evaluate_series: source must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from (select name, incomes as yearly from incomes))
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
                (0, 'name', 'name', 'tanon.evaluate_series: series_id must be a column of source', '', ''),
                (1000001, 'yearly', 'yearly',
                    'tanon.evaluate_series: series must be columns of source, none twice, each a column of lists of numbers or a numeric column',
                    '(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\))\[\d*\]|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.evaluate_series: series_id must be free of NULL, got ' || count(*) || ' rows with NULL in name'
        from tanon_given_source where "name" is null
        having count(*) > 0),
        (select 'tanon.evaluate_series: series must be free of NULL, got ' || count(*) || ' rows with NULL in yearly'
        from tanon_given_source where "yearly" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/functions/kp/evaluate_series.sql
tanon_targets as (
    select row_number() over () as target, "name" as tanon_id,
        tanon._exact('tanon.evaluate_series', typeof("yearly"), tanon._readings("yearly"))
     as tanon_values
    from tanon_source as s
),
-- sql/functions/kp/evaluate_series.sql
tanon_ids_match as (
select coalesce(error('tanon.evaluate_series' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'release must be made of source, each series_id once, got ' || count(*)
        || ' ids that are not in source or repeat; make it with for_owner := true'
    from (
        select "name" as tanon_id, count(*) as times from tanon_release group by all
    ) as p
    left join (
        select tanon_id, count(*) as known from tanon_targets group by all
    ) as t using (tanon_id)
    where times > 1 or coalesce(known, 0) <> 1
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/functions/kp/evaluate_series.sql
tanon_cells_are_whole as (
select coalesce(error('tanon.evaluate_series' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'release must have whole ranges and words, got ' || count(*)
        || ' rows with withheld cells; see tanon.estimate_withheld_ranges,'
        || ' tanon.estimate_withheld_words'
    from tanon_release
    where (select tanon_fine from tanon_ids_match) and (
        list_contains(string_split(word, ''), '.')
        or not coalesce(isfinite(list_sum(low) + list_sum(high)), false)
        or len(low) <> list_count(low) or len(high) <> list_count(high)
    )
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/kp/targets_fit.sql
tanon_points_of_targets as (
    select coalesce(
        (select max(len(low)) from tanon_release),
        (select max(len(tanon_values)) from tanon_targets)
    ) as points
),
-- sql/steps/kp/targets_fit.sql
tanon_release_is_whole as (
select coalesce(error('tanon.evaluate_series' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'release must be ranges and words of one length ('
        || any_value(points) || '), got ' || count(*) || ' rows that are not'
    from tanon_release, tanon_points_of_targets
    where (
        len(low) = points and len(high) = points and length(word) = points and level >= 1
    ) is not true
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/kp/targets_fit.sql
tanon_targets_fit as (
select coalesce(error('tanon.evaluate_series' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'source must fit published: finite series of '
        || any_value(points) || ' values, got ' || count(*) || ' others'
    from tanon_targets, tanon_points_of_targets
    where (select tanon_fine from tanon_release_is_whole) and (
        len(tanon_values) = points and list_bool_and(list_transform(
            tanon_values, lambda v: coalesce(isfinite(v), false)
        ))
    ) is not true
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/functions/kp/evaluate_series.sql
tanon_answering_classes as (
    select low, high, word, level, row_number() over (
        order by low asc nulls last, high asc nulls last, word asc nulls last, level asc nulls last
    ) - 1 as class
    from (select distinct low, high, word, level from tanon_release)
    where (select tanon_fine from tanon_ids_match) and (select tanon_fine from tanon_cells_are_whole) and (select tanon_fine from tanon_release_is_whole)
        and (select tanon_fine from tanon_targets_fit)
),
-- sql/functions/kp/evaluate_series.sql
tanon_placed_ids as (
    select "name" as tanon_id, class
    from tanon_release join tanon_answering_classes using (low, high, word, level)
),
-- sql/functions/kp/evaluate_series.sql
tanon_originals as (
    select
        list(tanon_values order by tanon_id asc nulls last) as series_lists,
        list(coalesce(class, -1) order by tanon_id asc nulls last) as class_of
    from tanon_targets left join tanon_placed_ids using (tanon_id)
),
-- sql/functions/kp/evaluate_series.sql
tanon_listed_classes as (
    select
        list(low order by class asc nulls last) as lows,
        list(high order by class asc nulls last) as highs,
        list(word order by class asc nulls last) as words,
        list(level order by class asc nulls last) as levels
    from tanon_answering_classes
),
-- sql/functions/kp/evaluate_series.sql
tanon_scores as (
    select unnest(tanon._answer("_tanon_evaluate_workload"(
        series_lists, class_of, lows, highs, words, levels,
        200, 0.25, 0.05, 0
    ))) as score
    from tanon_originals, tanon_listed_classes
)
-- sql/functions/kp/evaluate_series.sql
select
    score['kind'] as query, score['queries'] as queries, score['precision'] as precision,
    score['recall'] as recall, score['relative_error'] as relative_error,
    score['median_relative_error'] as median_relative_error, score['undefined'] as undefined
from tanon_scores
