with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as materialized (
    from (select * not similar to '(?i)tanon_.*' from (select name, incomes as yearly, charity from incomes))
    union all by name select null as "name", null as "yearly" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.tune_series: source must be a relation without columns that begin with tanon_, got one with '
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
                (0, 'name', 'name', 'tanon.tune_series: series_id must be a column of source', '', ''),
                (1000001, 'yearly', 'yearly',
                    'tanon.tune_series: series must be columns of source, none twice, each a column of lists of numbers or a numeric column',
                    '(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\))\[\d*\]|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.tune_series: series_id must be free of NULL, got ' || count(*) || ' rows with NULL in name'
        from tanon_given_source where "name" is null
        having count(*) > 0),
        (select 'tanon.tune_series: series must be free of NULL, got ' || count(*) || ' rows with NULL in yearly'
        from tanon_given_source where "yearly" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/functions/kp/tune_series.sql
tanon_series_to_try as (
    select
        "name" as tanon_id,
        tanon._exact('tanon.tune_series', typeof("yearly"), tanon._readings("yearly"))
     as tanon_values
         , null::bigint as tanon_secret
    from tanon_source
),
-- sql/functions/kp/tune_series.sql
tanon_series_have_one_length as (
select coalesce(error('tanon.tune_series' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'series must be finite values of one length (' || any_value(coalesce(points, 0))
        || '), two or more, got ' || count(*) || ' others'
    from tanon_series_to_try, (select max(len(tanon_values)) as points from tanon_series_to_try)
    where (
        len(tanon_values) = points and points > 1 and list_bool_and(list_transform(
            tanon_values, lambda v: coalesce(isfinite(v), false)
        ))
    ) is not true
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/functions/kp/tune_series.sql
tanon_ids_are_unique as (
select coalesce(error('tanon.tune_series' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'series_id must be unique, got ' || count(*) || ' that repeat'
    from (
        select tanon_id from tanon_series_to_try
        where (select tanon_fine from tanon_series_have_one_length)
        group by tanon_id having count(*) > 1
    )
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/functions/kp/tune_series.sql
tanon_listed_series as (
    select
        list(
            tanon_values
            order by
                tanon._keyed(tanon_key, tanon._cell_text(tanon_id)) asc nulls last,
                tanon_id asc nulls last
        ) as series_lists,
        list(
            tanon_secret
            order by
                tanon._keyed(tanon_key, tanon._cell_text(tanon_id)) asc nulls last,
                tanon_id asc nulls last
        ) as secrets
    from tanon_series_to_try, (
        select tanon._key(
            tanon._answer("_tanon_held_secret"(true)), 'tanon.kp_anonymize', any_value(typeof(tanon_id))) as tanon_key
        from tanon_series_to_try
    )
    where (select tanon_fine from tanon_series_have_one_length) and (select tanon_fine from tanon_ids_are_unique)
),
-- sql/functions/kp/tune_series.sql
tanon_settings as (
    select unnest(tanon._answer("_tanon_try_settings"(
        series_lists, null ,
        '[6, 12]'::integer[], '[3, 6]'::integer[], ['kapra', 'shared']::varchar[], 200, 0.25, 0, 'none'
    )), recursive := true)
    from tanon_listed_series
)
-- sql/functions/kp/tune_series.sql
from tanon_settings
