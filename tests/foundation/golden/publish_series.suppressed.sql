with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "incomes")
    union all by name select null as "charity", null as "incomes", null as "name" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.publish_series: source must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "incomes")
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
                (0, 'name', 'name', 'tanon.publish_series: series_id must be a column of source', '', ''),
                (1000001, 'incomes', 'incomes',
                    'tanon.publish_series: series must be columns of source, none twice, each a column of lists of numbers or a numeric column',
                    '(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\))\[\d*\]|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)', ''),
                (2000001, 'charity', 'charity', 'tanon.publish_series: sensitive must be columns of source, none twice', '', ''),
                (3000001, 'charity', 'charity', 'tanon.publish_series: allow_identifying must be columns of source, none twice', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.publish_series: series_id must be free of NULL, got ' || count(*) || ' rows with NULL in name'
        from tanon_given_source where "name" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/functions/kp/publish_series.sql
tanon_series_rows as (
    select "name" as tanon_id,
        tanon._exact('tanon.publish_series', typeof("incomes"), tanon._readings("incomes"))
     as tanon_values , tanon_s."charity"
    from tanon_source as tanon_s
),
-- sql/steps/series/numbered.sql
tanon_key_of_series as (
    select tanon._key(tanon._answer("_tanon_held_secret"(true)), 'tanon.kp_anonymize', any_value(typeof(tanon_id))) as tanon_key
    from tanon_series_rows
),
-- sql/steps/series/numbered.sql
tanon_enough_series as (
select coalesce(error('tanon.publish_series' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'source must be at least k = ' || 6 || ' series, got ' || count(*)
    from tanon_series_rows
    having count(*) between 1 and 6 - 1
) as tanon_messages(tanon_message)
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
select coalesce(error('tanon.publish_series' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
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
-- sql/steps/series/numbered.sql
tanon_numbered_series as materialized (
    select
        row_number() over (
            order by
                tanon._keyed(tanon_key, tanon._cell_text(tanon_id)) asc nulls last,
                tanon_id asc nulls last
        ) as tanon_row,
        tanon_s.*
    from tanon_series_rows as tanon_s, tanon_key_of_series
    where (select tanon_fine from tanon_enough_series) and (select tanon_fine from tanon_series_are_fine)
),
-- sql/functions/kp/publish_series.sql
tanon_kp_answer as materialized (
    select tanon._answer("_tanon_kp_groups"(
        list(tanon_values order by tanon_row asc nulls last), 6, 4, 'kapra',
         2 ,
        'halves', false, 'none'
    )) as tanon_answer
    from tanon_numbered_series
),
-- sql/functions/kp/publish_series.sql
tanon_kp_series as (
    select
        generate_subscripts(tanon_answer['found'], 1) as tanon_row,
        unnest(tanon_answer['found'], recursive := true)
    from tanon_kp_answer
)
-- sql/functions/kp/publish_series.sql
select
    tanon_id as "name",
    'fewer than P = ' || 4 || ' series agree with its word at any level: only '
    || count(*) over () || ' such series are left' as reason
from tanon_kp_series join tanon_numbered_series using (tanon_row)
where k_group is null
order by tanon_id asc nulls last
