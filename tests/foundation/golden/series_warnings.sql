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
        'tanon.series_warnings: release must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "published_incomes")
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release_is_fine as (
    select coalesce(error(coalesce(
        (select
            'tanon.series_warnings: release must be a table, a view or a query in parentheses with columns low, high, word, level'
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
                (1, 'charity', 'charity', 'tanon.series_warnings: sensitive must be columns of release, none twice', '', ''),
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
-- sql/functions/kp/series_warnings.sql
tanon_sized_groups as (
    select
        low, high, word, level, count(*) as tanon_size, row_number() over () as tanon_class
    from tanon_release group by low, high, word, level
),
-- sql/functions/kp/series_warnings.sql
tanon_classes_of_values as (
    select
        'charity' as affects, tanon_class, tanon_size,
        (low[-1] + high[-1]) / 2 as last_middle,
        tanon._value_text("charity") as secret,
        case when regexp_matches(typeof("charity"), '^(DOUBLE|FLOAT|DECIMAL.*|U?[A-Z]*INT(EGER)?)$')
        then "charity"::varchar::double end as number,
         null as tanon_id
    from tanon_release join tanon_sized_groups using (low, high, word, level)
),
-- sql/functions/kp/series_warnings.sql
tanon_promised as (
    select
        min(tanon_size) as p, sum(tanon_size)::bigint as total,
        (select min(rows) from (select count(*) as rows from tanon_release group by low, high)) as k
    from tanon_sized_groups
),
-- sql/functions/kp/series_warnings.sql
tanon_spread as (
    select affects, tanon_class, tanon_size, max(number) - min(number) as spread
    from tanon_classes_of_values group by affects, tanon_class, tanon_size
),
-- sql/functions/kp/series_warnings.sql
tanon_width as (
    select affects, max(number) - min(number) as width, corr(number, last_middle) as correlation,
        count(number) as rows
    from tanon_classes_of_values group by affects
),
-- sql/functions/kp/series_warnings.sql
tanon_about_secrets as (
    select
        'repeated value' as warning, affects, sum(rows)::bigint as rows,
        sum(rows) / any_value(total) as share,
        'up to ' || round(100 * max(rows / tanon_size)) || ' % of guesses are right, not '
            || round(100 / any_value(p)) || ' %: tanon.publish_perturbed_series' as advice
    from (
        select affects, tanon_class, tanon_size, secret, count(*) as rows
        from tanon_classes_of_values group by affects, tanon_class, tanon_size, secret
    ), tanon_promised
    where rows * p > tanon_size
    group by affects
    union all
    select
        'narrow values', affects, sum(tanon_size)::bigint, sum(tanon_size) / any_value(total),
        'an adversary who finds the class knows the value to within 5 % of all values'
    from tanon_spread join tanon_width using (affects), tanon_promised
    where spread <= width / 20
    group by affects
    union all
    select
        'follows series', affects, rows, abs(correlation),
        'values correlate with the last range; see the attack nearest_value of tanon.series_attack'
    from tanon_width where abs(correlation) >= 0.5
),
-- sql/functions/kp/series_warnings.sql
tanon_about_groups as (
    select
        'P is ' || p as warning, null as affects,
        sum(tanon_size) filter (tanon_size = p)::bigint as rows,
        sum(tanon_size) filter (tanon_size = p) / any_value(total) as share,
        'each member of a class of two knows the value of the other' as advice
    from tanon_sized_groups, tanon_promised where p <= 2 group by p
    union all
    select
        'k beyond P', null, sum(tanon_size) filter (tanon_size < k)::bigint,
        sum(tanon_size) filter (tanon_size < k) / any_value(total),
        'k = ' || any_value(k) || ' protects readings, but sensitive values have only P = '
            || any_value(p)
    from tanon_sized_groups, tanon_promised where k > p having count(*) > 0
    union all
    select
        'exact readings', null, sum(tanon_size)::bigint, sum(tanon_size) / any_value(total),
        'a range of width 0 reveals a reading of each row'
    from tanon_sized_groups, tanon_promised
    where list_bool_or(list_transform(low, lambda l, i: l = high[i])) having count(*) > 0
    union all
    select
        'poor words', null, sum(tanon_size)::bigint, sum(tanon_size) / any_value(total),
        'words of level 1 say nothing, words of level 2 little: use fewer readings or a smaller P'
    from tanon_sized_groups, tanon_promised where level <= 2 having count(*) > 0
),
-- sql/functions/kp/series_warnings.sql
tanon_about_columns as (
    select
        case when folded = 'own_pattern' then 'own pattern' else 'unnamed column' end as warning,
        column_name as affects, total as rows, 1.0::double as share,
        case when folded = 'own_pattern'
            then 'an adversary who knows the readings knows it and finds fewer rows: remove it'
            else 'the promise does not include it: remove it or name it in sensitive' end as advice
    from tanon_columns_of_release, tanon_promised
    where total > 0
        and folded not in ('low', 'high', 'word', 'level', 'k_group', 'p_group', 'domain_low',
            'domain_high')
        and not tanon._is_named(folded, ['charity']::varchar[])
)
-- sql/functions/kp/series_warnings.sql
select * from tanon_about_secrets
union all
select * from tanon_about_groups
union all
select * from tanon_about_columns
order by all asc nulls last
