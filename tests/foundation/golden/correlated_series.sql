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
        'tanon.correlated_series: release must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "published_incomes")
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release_is_fine as (
    select coalesce(error(coalesce(
        (select
            'tanon.correlated_series: release must be a table, a view or a query in parentheses with columns low, high, word, level'
            || ', got one without ' || string_agg(wanted, ', ')
        from (select unnest(['low', 'high', 'word', 'level']::varchar[]) as wanted)
        where wanted not in (select folded from tanon_columns_of_release)
        having count(*) > 0),
        (select
            'tanon.correlated_series: release must be a relation without columns reconstructed, got one with '
            || min(column_name)
        from tanon_columns_of_release
        where list_contains(['reconstructed']::varchar[], folded)
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
select coalesce(error('tanon.correlated_series' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
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
-- sql/functions/kp/correlated_series.sql
tanon_chosen_words as (
    select word as tanon_pr, level as tanon_level, series as reconstructed
    from tanon_rebuilt_words
    where (series[8] - series[1] > 1.5)
)
-- sql/functions/kp/correlated_series.sql
select p.*, c.reconstructed
from tanon_release as p join tanon_chosen_words as c on p.word = tanon_pr and p.level = tanon_level
