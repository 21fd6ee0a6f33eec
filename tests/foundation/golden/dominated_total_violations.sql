with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "admitted", null as "age", null as "patient", null as "zip" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.dominated_total_violations: source must be a relation without columns that begin with tanon_, got one with '
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
                (0, 'patient', 'patient', 'tanon.dominated_total_violations: respondent must be a column of source', '', ''),
                (1000001, 'zip', 'zip', 'tanon.dominated_total_violations: qi must be columns of source, none twice', '', ''),
                (2000000, 'age', 'age',
                    'tanon.dominated_total_violations: value must be a numeric column of source',
                    'U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)', ''),
                (3000000, 'admitted', 'admitted',
                    'tanon.dominated_total_violations: ts must be a DATE or TIMESTAMP column of source',
                    'DATE|TIMESTAMP.*', '; cast texts first, as in (select * replace ("admitted"::timestamp as "admitted") from ...)'),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.dominated_total_violations: respondent must be free of NULL, got ' || count(*) || ' rows with NULL in patient'
        from tanon_given_source where "patient" is null
        having count(*) > 0),
        (select 'tanon.dominated_total_violations: value must be free of NULL, got ' || count(*) || ' rows with NULL in age'
        from tanon_given_source where "age" is null
        having count(*) > 0),
        (select 'tanon.dominated_total_violations: ts must be free of NULL, got ' || count(*) || ' rows with NULL in admitted'
        from tanon_given_source where "admitted" is null
        having count(*) > 0),
        (select
            'tanon.dominated_total_violations: tz must be the name of a time zone for a TIMESTAMP WITH TIME ZONE, got NULL'
            || left(any_value(column_type), 0)
        from tanon_columns_of_source
        where folded = 'admitted' and ends_with(column_type, 'WITH TIME ZONE')
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/steps/time/clock.sql
tanon_timed as not materialized (
    select
        tanon_s.*, tanon._clock('tanon.dominated_total_violations', tanon_s."admitted", NULL) as tanon_t,
        typeof(tanon_s."admitted") = 'DATE' as tanon_is_date
    from tanon_source as tanon_s
),
-- sql/steps/time/placed.sql
tanon_located as not materialized (
    select *, year(tanon_t) - 1970 as tanon_granule
    from tanon_timed
),
-- sql/steps/time/placed.sql
tanon_every_time_is_covered as (
select coalesce(error('tanon.dominated_total_violations' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'granularity must cover every time, got ' || 'year' || ' and ' || count(*)
        || ' rows outside its granules, the first at ' || coalesce(min(tanon_t)::varchar, 'NULL')
    from tanon_located
    where tanon_granule is null
        or tanon_t < timestamp '0001-01-01' or tanon_t >= timestamp '10000-01-01'
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/time/placed.sql
tanon_placed as not materialized (
    from tanon_located where (select tanon_fine from tanon_every_time_is_covered)
),
-- sql/functions/dominance/dominated_total_violations.sql
tanon_contributions as (
    select
        "zip", "patient" as tanon_uid,
        abs(sum("age"::double order by "age"::double asc nulls last)) as tanon_part
        , tanon_granule, min(tanon_t) as tanon_first
    from tanon_placed
    group by "zip", "patient" , tanon_granule
),
-- sql/functions/dominance/dominated_total_violations.sql
tanon_totals as (
    select
        "zip", count(*) as respondents, sum(tanon_part order by tanon_part asc nulls last) as total,
        list_sum(max(tanon_part, 1)) as largest
        , tanon_granule, min(tanon_first) as tanon_first
    from tanon_contributions
    group by "zip" , tanon_granule
)
-- sql/functions/dominance/dominated_total_violations.sql
select
    "zip"
    , tanon._label(tanon_first, 'year') as "admitted"
    , respondents, total, largest, largest / total as part
from tanon_totals
where largest > 0.05 * total or not isfinite(total)
