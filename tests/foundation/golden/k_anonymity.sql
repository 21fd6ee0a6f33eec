with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "admitted", null as "patient", null as "sex" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.k_anonymity: source must be a relation without columns that begin with tanon_, got one with '
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
                (0, 'patient', 'patient', 'tanon.k_anonymity: respondent must be a column of source', '', ''),
                (1000001, 'sex', 'sex', 'tanon.k_anonymity: qi must be columns of source, none twice', '', ''),
                (2000000, 'admitted', 'admitted',
                    'tanon.k_anonymity: ts must be a DATE or TIMESTAMP column of source',
                    'DATE|TIMESTAMP.*', '; cast texts first, as in (select * replace ("admitted"::timestamp as "admitted") from ...)'),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.k_anonymity: respondent must be free of NULL, got ' || count(*) || ' rows with NULL in patient'
        from tanon_given_source where "patient" is null
        having count(*) > 0),
        (select 'tanon.k_anonymity: ts must be free of NULL, got ' || count(*) || ' rows with NULL in admitted'
        from tanon_given_source where "admitted" is null
        having count(*) > 0),
        (select
            'tanon.k_anonymity: tz must be the name of a time zone for a TIMESTAMP WITH TIME ZONE, got NULL'
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
        tanon_s.*, tanon._clock('tanon.k_anonymity', tanon_s."admitted", NULL) as tanon_t,
        typeof(tanon_s."admitted") = 'DATE' as tanon_is_date
    from tanon_source as tanon_s
),
-- sql/steps/time/placed.sql
tanon_located as not materialized (
    select *, (year(tanon_t) * 12 + month(tanon_t) - 1) // 3 - 7880 as tanon_granule
    from tanon_timed
),
-- sql/steps/time/placed.sql
tanon_every_time_is_covered as (
select coalesce(error('tanon.k_anonymity' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'granularity must cover every time, got ' || 'quarter' || ' and ' || count(*)
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
-- sql/steps/frequencies.sql
tanon_people_of_groups as (
    select
        "sex", "patient" as tanon_uid, count(*) as tanon_rows
        , tanon_granule, min(tanon_t) as tanon_first
    from tanon_placed
    group by "sex", "patient" , tanon_granule
),
-- sql/steps/frequencies.sql
tanon_frequencies as (
    select
        "sex", count(*) as frequency, sum(tanon_rows)::bigint as tuples
        , tanon_granule, min(tanon_first) as tanon_first
    from tanon_people_of_groups
    group by "sex" , tanon_granule
),
-- sql/functions/k_anonymity/k_anonymity.sql
tanon_sums_of_frequencies as (
    select
        min(frequency) as tanon_m, coalesce(sum(frequency), 0)::bigint as tanon_s,
        count(*) as tanon_groups, coalesce(sum(tuples), 0)::bigint as tanon_tuples
    from tanon_frequencies
),
-- sql/functions/k_anonymity/k_anonymity.sql
tanon_people_there as (
    select count(*) as tanon_people from (select distinct "patient" from tanon_source)
)
-- sql/functions/k_anonymity/k_anonymity.sql
select
    tanon_m as gen_m, tanon_s as gen_s, tanon_groups as groups, tanon_tuples as tuples,
    tanon_people as respondents
from tanon_sums_of_frequencies, tanon_people_there
