with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "cases")
    union all by name select null as "age", null as "day", null as "district" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.series_from_rows: source must be a relation without columns that begin with tanon_, got one with '
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
                (0, 'district', 'district', 'tanon.series_from_rows: series_id must be a column of source', '', ''),
                (1000000, 'day', 'day',
                    'tanon.series_from_rows: ts must be a DATE or TIMESTAMP column of source',
                    'DATE|TIMESTAMP.*', '; cast texts first, as in (select * replace ("day"::timestamp as "day") from ...)'),
                (2000000, 'age', 'age',
                    'tanon.series_from_rows: value must be a numeric column of source', 'U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.series_from_rows: series_id must be free of NULL, got ' || count(*) || ' rows with NULL in district'
        from tanon_given_source where "district" is null
        having count(*) > 0),
        (select 'tanon.series_from_rows: ts must be free of NULL, got ' || count(*) || ' rows with NULL in day'
        from tanon_given_source where "day" is null
        having count(*) > 0),
        (select 'tanon.series_from_rows: value must be free of NULL, got ' || count(*) || ' rows with NULL in age'
        from tanon_given_source where "age" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/functions/series/series_from_rows.sql
tanon_clock_is_known as (
select coalesce(error('tanon.series_from_rows' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'ts must be a DATE or a TIMESTAMP if granularity is given, got a ' || column_type
        || '; convert it first by AT TIME ZONE'
    from tanon_columns_of_source
    where folded = tanon._folded('day') and column_type like 'TIMESTAMP%Z%'
) as tanon_messages(tanon_message)
),
-- sql/functions/series/series_from_rows.sql
tanon_dated_values as (
    select
        "district" as tanon_id,
        tanon._index(tanon._clock('tanon.series_from_rows', "day", null), 'month')
         as tanon_instant,
        "age"::double as tanon_value
    from tanon_source
    where (select tanon_fine from tanon_clock_is_known)
),
-- sql/functions/series/series_from_rows.sql
tanon_values_are_finite as (
select coalesce(error('tanon.series_from_rows' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'value must be finite, got ' || count(*) || ' rows that are not, in '
        || array_to_string(
            list(distinct tanon_id::varchar order by tanon_id::varchar asc nulls last)[:5], ', ')
    from tanon_dated_values
    where not isfinite(tanon_value)
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/functions/series/series_from_rows.sql
tanon_instants_are_known as (
select coalesce(error('tanon.series_from_rows' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'ts must be covered by granularity, got ' || count(*) || ' rows that are not, in '
        || array_to_string(
            list(distinct tanon_id::varchar order by tanon_id::varchar asc nulls last)[:5], ', ')
    from tanon_dated_values
    where tanon_instant is null
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/functions/series/series_from_rows.sql
tanon_readings_at as (
    select tanon_id, tanon_instant, avg(tanon_value) as tanon_value
    from tanon_dated_values
    where (select tanon_fine from tanon_values_are_finite) and (select tanon_fine from tanon_instants_are_known)
    group by tanon_id, tanon_instant
),
-- sql/functions/series/series_from_rows.sql
tanon_positions_are_few as (
select coalesce(error('tanon.series_from_rows' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'granularity must be coarse enough for at most 10000000 positions of a series, got '
        || positions
    from (
        select max(tanon_instant)::hugeint - min(tanon_instant) + 1 as positions
        from tanon_readings_at
    )
    where positions > 10000000
) as tanon_messages(tanon_message)
),
-- sql/functions/series/series_from_rows.sql
tanon_instants as (
    select tanon_instant, tanon_instant as tanon_place
    from (
        select unnest(range(min(tanon_instant), max(tanon_instant) + 1)) as tanon_instant
        from tanon_readings_at
        where (select tanon_fine from tanon_positions_are_few)
    )
),
-- sql/functions/series/series_from_rows.sql
tanon_every_reading as (
    select
        tanon_id, tanon_place, tanon_value,
        last_value(tanon_value ignore nulls) over tanon_before as tanon_last,
        first_value(tanon_value ignore nulls) over tanon_after as tanon_next,
        last_value(if(tanon_value is null, null, tanon_place) ignore nulls) over tanon_before
            as tanon_last_place,
        first_value(if(tanon_value is null, null, tanon_place) ignore nulls) over tanon_after
            as tanon_next_place
    from (from (select distinct tanon_id from tanon_readings_at), tanon_instants)
    left join tanon_readings_at using (tanon_id, tanon_instant)
    window
        tanon_before as (
            partition by tanon_id order by tanon_place asc nulls last
            rows between unbounded preceding and current row
        ),
        tanon_after as (
            partition by tanon_id order by tanon_place asc nulls last
            rows between current row and unbounded following
        )
)
-- sql/functions/series/series_from_rows.sql
select
    tanon_id as "district",
    list(coalesce(
        tanon_value,
        tanon_last + (tanon_next - tanon_last) * (tanon_place - tanon_last_place)
            / (tanon_next_place - tanon_last_place),
        tanon_last, tanon_next
    ) order by tanon_place asc nulls last) as series,
    count(*) filter (tanon_value is null) as filled
from tanon_every_reading
group by tanon_id
