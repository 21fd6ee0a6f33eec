with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "admitted" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.date_hierarchy: source must be a relation without columns that begin with tanon_, got one with '
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
                (0, 'admitted', 'admitted',
                    'tanon.date_hierarchy: attribute must be a DATE or TIMESTAMP column of source',
                    'DATE|TIMESTAMP.*', '; cast texts first, as in (select * replace ("admitted"::timestamp as "admitted") from ...)'),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select
            'tanon.date_hierarchy: tz must be the name of a time zone for a TIMESTAMP WITH TIME ZONE, got NULL'
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
-- sql/functions/hierarchies/date_hierarchy.sql
tanon_dates_of_column as (
    select distinct
        tanon._clock('tanon.date_hierarchy', "admitted", NULL) as tanon_t,
        tanon._value_text("admitted") as tanon_value
    from tanon_source
    where "admitted" is not null
),
-- sql/functions/hierarchies/date_hierarchy.sql
tanon_dates_on_levels as materialized (
    select tanon_value, list_position(['month', 'year']::varchar[], 'month') as tanon_level,
        tanon._covered(tanon_t, tanon._label(tanon_t, 'month')) as tanon_label
    from tanon_dates_of_column
     union all
    select tanon_value, list_position(['month', 'year']::varchar[], 'year') as tanon_level,
        tanon._covered(tanon_t, tanon._label(tanon_t, 'year')) as tanon_label
    from tanon_dates_of_column
),
-- sql/functions/hierarchies/date_hierarchy.sql
tanon_every_date_is_covered as (
select coalesce(error('tanon.date_hierarchy' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'granularities must cover every date, got ' || (['month', 'year']::varchar[])[tanon_level]
        || ' and ' || tanon_value
    from tanon_dates_on_levels
    where tanon_label is null
    order by tanon_value asc nulls last
    limit 1
) as tanon_messages(tanon_message)
),
-- sql/functions/hierarchies/date_hierarchy.sql
tanon_dates_are_nested as (
select coalesce(error('tanon.date_hierarchy' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'granularities must be coarser on each level, got ' || a.tanon_label || ' of '
        || (['month', 'year']::varchar[])[a.tanon_level] || ' in more than one '
        || (['month', 'year']::varchar[])[a.tanon_level + 1]
    from tanon_dates_on_levels as a join tanon_dates_on_levels as b using (tanon_value)
    where b.tanon_level = a.tanon_level + 1 and a.tanon_label is not null
    group by a.tanon_level, a.tanon_label
    having count(distinct b.tanon_label) > 1
    order by a.tanon_level asc nulls last, a.tanon_label asc nulls last
    limit 1
) as tanon_messages(tanon_message)
)
-- sql/functions/hierarchies/date_hierarchy.sql
select
    'admitted' as attribute, tanon_level::integer as level, tanon_value as value,
    tanon_label as generalized
from tanon_dates_on_levels
where (select tanon_fine from tanon_every_date_is_covered) and (select tanon_fine from tanon_dates_are_nested)
union all
select 'admitted', len(['month', 'year']::varchar[])::integer + 1, tanon_value, '*'
from tanon_dates_of_column
union all
select null::varchar, null::integer, null::varchar, null::varchar
where not (select fine from tanon_source_is_fine)
