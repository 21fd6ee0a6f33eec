with
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_given_release as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "published_incomes")
    union all by name select null::DOUBLE[] as low, null::DOUBLE[] as high, null::VARCHAR as word, null::INTEGER as level, null as "charity" where false
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_columns_of_release as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.series_violations: release must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "published_incomes")
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release_is_fine as (
    select coalesce(error(coalesce(
        (select
            'tanon.series_violations: release must be a table, a view or a query in parentheses with columns low, high, word, level'
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
                (1, 'charity', 'charity', 'tanon.series_violations: sensitive must be columns of release, none twice', '', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        null::varchar))::boolean, true) as fine
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release as not materialized (
    from tanon_given_release where (select fine from tanon_release_is_fine)
),
-- sql/functions/kp/series_violations.sql
tanon_leaving as (
    from tanon_release
),
-- sql/steps/kp/failing.sql
tanon_kp_classes as materialized (
    select
        low, high, word, level,
        row(*columns(lambda c: c = 'tanon_none' or tanon._folded(c) = 'p_group'
            and not tanon._is_named('p_group', ['charity']::varchar[]))) as tanon_p_group,
        row(*columns(lambda c: not tanon._is_named(tanon._folded(c), list_concat(
            ['low', 'high', 'word', 'level', 'p_group'], ['charity']::varchar[])))) as tanon_others,
        count(*)::bigint as tanon_rows
    from (select 0 as tanon_none, * from tanon_leaving)
    group by all
),
-- sql/functions/kp/series_violations.sql
tanon_undeclared as (
    select coalesce(' and the same ' || string_agg(
        column_name, ', ' order by column_name asc nulls last
    ), '')
        as tanon_and_more
    from tanon_columns_of_release
    where folded not in ('low', 'high', 'word', 'level', 'k_group', 'p_group')
        and not tanon._is_named(folded, ['charity']::varchar[])
),
-- sql/steps/kp/failing.sql
tanon_kp_failing as (
    select low, high, null::varchar as word, null::integer as level,
        sum(tanon_rows)::bigint as rows,
        'fewer than k rows have these ranges' || tanon_and_more as problem
    from tanon_kp_classes, tanon_undeclared
    group by low, high, tanon_others, tanon_and_more having sum(tanon_rows) < 13
    union all
    select low, high, word, level, tanon_rows,
        'fewer than P rows with these ranges have this word' || tanon_and_more
    from tanon_kp_classes, tanon_undeclared where tanon_rows < 7
    union all
    select low, high, word, level, tanon_rows, 'ranges and letters do not fit together'
    from tanon_kp_classes
    where len(low) <> len(high) or len(low) <> length(word) or level not between 1 and 26
        or not regexp_full_match(word, '[a-z.]*')
        or list_max(list_transform(string_split(word, ''), lambda c: ascii(c))) > 96 + level
        or list_bool_or(list_transform(low, lambda l, i: l > high[i]))
)
-- sql/functions/kp/series_violations.sql
from tanon_kp_failing
