with
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_given_release as materialized (
    from (select * not similar to '(?i)tanon_.*' from (select * replace (charity // 500 as charity) from published_incomes))
    union all by name select null::DOUBLE[] as low, null::DOUBLE[] as high, null::VARCHAR as word, null::INTEGER as level, null as "charity" where false
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_columns_of_release as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.series_diversity_violations: release must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from (select * replace (charity // 500 as charity) from published_incomes))
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release_is_fine as (
    select coalesce(error(coalesce(
        (select
            'tanon.series_diversity_violations: release must be a table, a view or a query in parentheses with columns low, high, word, level'
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
                (0, 'charity', 'charity', 'tanon.series_diversity_violations: sensitive must be a column of release', '', ''),
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
-- sql/functions/kp/series_diversity_violations.sql
tanon_frequent_values as (
    select low, high, word, level, "charity", count(*) as tanon_frequency
    from tanon_release
    group by all
),
-- sql/functions/kp/series_diversity_violations.sql
tanon_classes_with_sizes as (
    select low, high, word, level, count(*) as tanon_rows from tanon_release group by all
)
-- sql/functions/kp/series_diversity_violations.sql
select
    f.low, f.high, f.word, f.level, f."charity", tanon_frequency as frequency, tanon_rows as rows
from tanon_frequent_values as f
join tanon_classes_with_sizes as c on
    f.low is not distinct from c.low and f.high is not distinct from c.high
    and f.word is not distinct from c.word and f.level is not distinct from c.level
where tanon_frequency * 2 > tanon_rows
