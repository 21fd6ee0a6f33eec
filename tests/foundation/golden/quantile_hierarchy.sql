with
-- the argument source: sql/private/arguments.sql
tanon_given_source as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "visits")
    union all by name select null as "age" where false
),
-- the argument source: sql/private/arguments.sql
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.quantile_hierarchy: source must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "visits")
),
-- the argument source: sql/private/arguments.sql
tanon_source_is_fine as (
    select coalesce(error(coalesce(
        (select
            'tanon.quantile_hierarchy: attribute must be a numeric column or a DATE or TIMESTAMP column of source, got ''' || case
            when bool_or(it) then 'age'' of type ' || any_value(column_type) filter (it)
                || case when any_value(column_type) filter (it) = 'VARCHAR'
                    then '; cast texts first, as in (select * replace ("age"::timestamp as "age") from ...)' else '' end
            else 'age''; did you mean '
                || arg_min(column_name, levenshtein(folded, 'age')) || '?' end
        from (select *, folded = 'age' as it from tanon_columns_of_source)
        having not bool_or(it and regexp_full_match(column_type, 'U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL.*|DATE|TIMESTAMP.*'))),
        null::varchar))::boolean, true) as fine
),
-- the argument source: sql/private/arguments.sql
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/functions/hierarchies/quantile_hierarchy.sql:29
tanon_ranked_values as materialized (
    select
        tanon_value, tanon_x,
        least(('[4, 2]'::integer[])[1] - 1, floor(
            (sum(tanon_n) over (order by tanon_x) - tanon_n / 2) * ('[4, 2]'::integer[])[1]
            / sum(tanon_n) over ()))::bigint as tanon_bin
    from (
        select any_value("age"::varchar) as tanon_value, "age" as tanon_x,
            count(*) as tanon_n
        from tanon_source
        where "age" is not null
        group by "age"
    )
),
-- sql/functions/hierarchies/quantile_hierarchy.sql:53
tanon_bins_of_levels as materialized (
    select *, lead(tanon_least) over (partition by tanon_level order by tanon_bin_of) as tanon_more,
        row_number() over (partition by tanon_level order by tanon_bin_of) as tanon_rank
    from (
        select tanon_level, tanon_bin // (('[4, 2]'::integer[])[1] // ('[4, 2]'::integer[])[tanon_level]) as tanon_bin_of,
            min(tanon_x) as tanon_least
        from tanon_ranked_values, (select unnest(range(1, len('[4, 2]'::integer[]) + 1)) as tanon_level)
        group by all
    )
),
-- sql/functions/hierarchies/quantile_hierarchy.sql:45
tanon_values_are_finite as (
select coalesce(error('tanon.quantile_hierarchy' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'attribute must hold finite values, got ' || min(tanon_value)
    from tanon_ranked_values
    where ltrim(tanon_value, '-') in ('nan', 'inf', 'infinity')
    having count(*) > 0
) as tanon_messages(tanon_message)
)
-- sql/functions/hierarchies/quantile_hierarchy.sql
select
    'age' as attribute, tanon_level::integer as level, tanon_value as value,
    case
        when tanon_rank = 1 and tanon_more is null then 'all'
        when tanon_rank = 1 then '<' || tanon_more::varchar
        when tanon_more is null then tanon_least::varchar || '+'
        else '[' || tanon_least::varchar || ', ' || tanon_more::varchar || ')'
    end as generalized
from tanon_ranked_values join tanon_bins_of_levels
    on tanon_bin_of = tanon_bin // (('[4, 2]'::integer[])[1] // ('[4, 2]'::integer[])[tanon_level])
where (select tanon_fine from tanon_values_are_finite)
union all
select 'age', len('[4, 2]'::integer[])::integer + 1, tanon_value, '*'
from tanon_ranked_values
union all
select null::varchar, null::integer, null::varchar, null::varchar
where not (select fine from tanon_source_is_fine)
