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
        'tanon.quantile_hierarchy: source must be a relation without columns that begin with tanon_, got one with '
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
                    'tanon.quantile_hierarchy: attribute must be a numeric column or a DATE or TIMESTAMP column of source',
                    'U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)|DATE|TIMESTAMP.*',
                    '; cast texts first, as in (select * replace ("age"::timestamp as "age") from ...)'),
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
-- sql/functions/hierarchies/quantile_hierarchy.sql
tanon_ranked_values as materialized (
    select
        tanon_value, tanon_x, tanon_whole, tanon_at is not null as tanon_timed,
        least(('[4, 2]'::integer[])[1] - 1, floor(
            (sum(tanon_n) over (order by tanon_x asc nulls last) - tanon_n / 2) * ('[4, 2]'::integer[])[1]
            / sum(tanon_n) over ()))::bigint as tanon_bin
    from (
        select *, coalesce(epoch(tanon_at), tanon._rounded_down(tanon_value)) as tanon_x
        from (
            select
                tanon._value_text("age") as tanon_value, count(*) as tanon_n,
                tanon._is_integer(any_value(typeof("age"))) as tanon_whole,
                case when any_value(typeof("age")) similar to 'DATE|TIMESTAMP.*'
                    then try_cast(
                        regexp_replace(tanon_value, '(:[0-9.]+)[+-][0-9:]+$', '\1') as timestamp
                    ) end
                    as tanon_at
            from tanon_source
            where "age" is not null
            group by tanon_value
        )
    )
),
-- sql/functions/hierarchies/quantile_hierarchy.sql
tanon_values_are_finite as (
select coalesce(error('tanon.quantile_hierarchy' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'attribute must hold finite values, times within the years of TIMESTAMP, and numbers '
        || 'of at most 9007199254740992, got ' || min(tanon_value)
    from tanon_ranked_values
    where ltrim(tanon_value, '-') in ('nan', 'inf', 'infinity')
        or tanon_x is null or (not tanon_timed and abs(tanon_x) > 9007199254740992)
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/functions/hierarchies/quantile_hierarchy.sql
tanon_rounded_bins as materialized (
    select tanon_timed, max(tanon_bin) as tanon_bin, case
        when tanon_room is null then '-infinity'
        when tanon_timed then tanon._rounded_time(tanon_least, tanon_room)
        else tanon._rounded_number(tanon_least, tanon_room, tanon_whole)
        end::double as tanon_from
    from (
        select tanon_bin, min(tanon_x) as tanon_least,
            bool_and(tanon_timed) as tanon_timed, bool_and(tanon_whole) as tanon_whole,
            (min(tanon_x) - lag(min(tanon_x)) over (
                order by tanon_bin asc nulls last
            )) / 2 as tanon_room
        from tanon_ranked_values
        where (select tanon_fine from tanon_values_are_finite)
        group by tanon_bin
    )
    group by tanon_timed, tanon_from
),
-- sql/functions/hierarchies/quantile_hierarchy.sql
tanon_bins_of_levels as materialized (
    select
        tanon_level, tanon_bin_of, lag(tanon_from) over of_level is null as tanon_first,
        tanon._bound_label(tanon_from, tanon_timed) as tanon_low,
        tanon._bound_label(lead(tanon_from) over of_level, tanon_timed) as tanon_high
    from (
        select tanon_level, tanon_timed, min(tanon_from) as tanon_from,
            tanon_bin // (('[4, 2]'::integer[])[1] // ('[4, 2]'::integer[])[tanon_level]) as tanon_bin_of
        from tanon_rounded_bins, (select unnest(range(1, len('[4, 2]'::integer[]) + 1)) as tanon_level)
        group by all
    )
    window of_level as (partition by tanon_level order by tanon_from asc nulls last)
)
-- sql/functions/hierarchies/quantile_hierarchy.sql
select
    'age' as attribute, tanon_level::integer as level, tanon_value as value,
    case
        when tanon_first and tanon_high is null then 'all'
        when tanon_first then '<' || tanon_high
        when tanon_high is null then tanon_low || '+'
        else '[' || tanon_low || ', ' || tanon_high || ')'
    end as generalized
from (
    select tanon_value, b.tanon_bin
    from tanon_ranked_values as v asof join tanon_rounded_bins as b on v.tanon_x >= b.tanon_from
) join tanon_bins_of_levels on tanon_bin_of = tanon_bin // (('[4, 2]'::integer[])[1] // ('[4, 2]'::integer[])[tanon_level])
union all
select 'age', len('[4, 2]'::integer[])::integer + 1, tanon_value, '*'
from tanon_ranked_values
union all
select null::varchar, null::integer, null::varchar, null::varchar
where not (select fine from tanon_source_is_fine)
