with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "age" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.interval_hierarchy: source must be a relation without columns that begin with tanon_, got one with '
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
                (0, 'age', 'age',
                    'tanon.interval_hierarchy: attribute must be a numeric column of source',
                    'U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/functions/hierarchies/interval_hierarchy.sql
tanon_numbers_of_column as materialized (
    select "age"::varchar as tanon_value, any_value("age")::double as tanon_x,
        bool_and(tanon._is_integer(typeof("age"))) as tanon_whole
    from tanon_source
    where "age" is not null
    group by tanon_value
),
-- sql/functions/hierarchies/interval_hierarchy.sql
tanon_bounds_in_units as materialized (
    select
        tanon_decimals, tanon._units((0)::double::varchar, tanon_decimals) as tanon_origin,
        null::hugeint as tanon_bottom,
        tanon._units((90)::double::varchar, tanon_decimals) as tanon_top
    from (
        select list_max(list_transform(list_concat('[5, 10, 20]'::double[], [
            0 , 90
        ]::double[]), lambda b: tanon._decimals(b::varchar))) as tanon_decimals
    )
),
-- sql/functions/hierarchies/interval_hierarchy.sql
tanon_numbers_are_finite as (
select coalesce(error('tanon.interval_hierarchy' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'attribute must hold finite numbers of at most 9007199254740992, got '
        || min(tanon_value)
    from tanon_numbers_of_column
    where not isfinite(tanon_x) or abs(tanon_x) > 9007199254740992
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/functions/hierarchies/interval_hierarchy.sql
tanon_numbers_in_units as (
    select *, tanon._units(tanon_value, tanon_decimals) as tanon_at
    from tanon_numbers_of_column, tanon_bounds_in_units
    where (select tanon_fine from tanon_numbers_are_finite)
),
-- sql/functions/hierarchies/interval_hierarchy.sql
tanon_intervals as (
    select *, tanon_origin + tanon._down(tanon_at - tanon_origin, tanon_width) * tanon_width
        as tanon_from
    from (
        select *, tanon._units(('[5, 10, 20]'::double[])[tanon_level]::varchar, tanon_decimals) as tanon_width
        from tanon_numbers_in_units, (select unnest(range(1, len('[5, 10, 20]'::double[]) + 1)) as tanon_level)
    )
)
-- sql/functions/hierarchies/interval_hierarchy.sql
select
    'age' as attribute, tanon_level::integer as level, tanon_value as value,
    case
        when tanon_level is null then null
        when tanon_at < tanon_bottom
            then '<' || tanon._units_label(tanon_bottom, tanon_decimals)
        when tanon_at >= tanon_top
            then tanon._units_label(tanon_top, tanon_decimals) || '+'
        else tanon._interval_label(
            greatest(tanon_from, tanon_bottom), least(tanon_from + tanon_width, tanon_top),
            tanon_decimals, tanon_whole)
    end as generalized
from tanon_intervals
union all
select 'age', len('[5, 10, 20]'::double[])::integer + 1, tanon_value, '*'
from tanon_numbers_of_column
union all
select null::varchar, null::integer, null::varchar, null::varchar
where not (select fine from tanon_source_is_fine)
