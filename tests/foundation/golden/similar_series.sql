with
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_given_release as not materialized (
    from (select * not similar to '(?i)tanon_.*' from "published_incomes")
    union all by name select null::DOUBLE[] as low, null::DOUBLE[] as high, null::VARCHAR as word, null::INTEGER as level where false
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_columns_of_release as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.similar_series: release must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "published_incomes")
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release_is_fine as (
    select coalesce(error(coalesce(
        (select
            'tanon.similar_series: release must be a table, a view or a query in parentheses with columns low, high, word, level'
            || ', got one without ' || string_agg(wanted, ', ')
        from (select unnest(['low', 'high', 'word', 'level']::varchar[]) as wanted)
        where wanted not in (select folded from tanon_columns_of_release)
        having count(*) > 0),
        (select
            'tanon.similar_series: release must be a relation without columns distance, got one with '
            || min(column_name)
        from tanon_columns_of_release
        where list_contains(['distance']::varchar[], folded)
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release as not materialized (
    from tanon_given_release where (select fine from tanon_release_is_fine)
),
-- sql/steps/kp/release_fits.sql
tanon_release_length as (
    select coalesce(max(len(low)), 0) as points from tanon_release
),
-- sql/steps/kp/release_fits.sql
tanon_release_fits as (
select coalesce(error('tanon.similar_series' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'the release must be ranges and words of one length ('
        || any_value(points) || '), got ' || count(*) || ' rows that are not'
    from tanon_release, tanon_release_length
    where (
        len(low) = points and len(high) = points and length(word) = points and level >= 1
    ) is not true
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/kp/words.sql
tanon_rebuilt_words as (
    select word, level, tanon._rebuilt(word, level) as series
    from (select distinct word, level from tanon_release)
    where (select tanon_fine from tanon_release_fits)
),
-- sql/functions/kp/similar_series.sql
tanon_words_to_compare as (
    select * rename ("series" as tanon_values) from tanon_rebuilt_words
),
-- sql/steps/kp/similar.sql
tanon_word_distances as (
    select
        word as tanon_pr, level as tanon_level,
        case
            when len('[40, 42, 41, 45, 50, 56, 57, 60]'::double[]) <> points then error(
                'tanon.similar_series' || ': ' || 'series' || ' must be ' || points
                || ' numbers, got ' || len('[40, 42, 41, 45, 50, 56, 57, 60]'::double[])
            )
            when list_contains(string_split(word, ''), '.') then error(
                'tanon.similar_series' || ': release must have whole words, got '
                || word || '; see tanon.estimate_withheld_words'
            )
            when list_count(tanon_values) < points then error(
                'tanon.similar_series' || ': release must have words with letters of their level, got '
                || word || ' at level ' || level
            )
            else tanon._pattern_distance(tanon_values, '[40, 42, 41, 45, 50, 56, 57, 60]'::double[])
        end as distance
    from tanon_words_to_compare, tanon_release_length
)
-- sql/functions/kp/similar_series.sql
select p.*, greatest(d.distance, 0) as distance
from tanon_release as p join tanon_word_distances as d on p.word = tanon_pr and p.level = tanon_level
where d.distance <= 0.2 + 1e-12
