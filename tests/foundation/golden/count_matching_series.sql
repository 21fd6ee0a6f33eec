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
        'tanon.count_matching_series: release must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "published_incomes")
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release_is_fine as (
    select coalesce(error(coalesce(
        (select
            'tanon.count_matching_series: release must be a table, a view or a query in parentheses with columns low, high, word, level'
            || ', got one without ' || string_agg(wanted, ', ')
        from (select unnest(['low', 'high', 'word', 'level']::varchar[]) as wanted)
        where wanted not in (select folded from tanon_columns_of_release)
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
select coalesce(error('tanon.count_matching_series' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
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
-- sql/functions/kp/count_matching_series.sql
tanon_words_to_compare as (
    select word, level, series as tanon_values
    from tanon_rebuilt_words
    where true
),
-- sql/steps/kp/similar.sql
tanon_word_distances as (
    select
        word as tanon_pr, level as tanon_level,
        case
            when len('[40, 42, 41, 45, 50, 56, 57, 60]'::double[]) <> points then error(
                'tanon.count_matching_series' || ': ' || 'pattern' || ' must be ' || points
                || ' numbers, got ' || len('[40, 42, 41, 45, 50, 56, 57, 60]'::double[])
            )
            when list_contains(string_split(word, ''), '.') then error(
                'tanon.count_matching_series' || ': release must have whole words, got '
                || word || '; see tanon.estimate_withheld_words'
            )
            when list_count(tanon_values) < points then error(
                'tanon.count_matching_series' || ': release must have words with letters of their level, got '
                || word || ' at level ' || level
            )
            else tanon._pattern_distance(tanon_values, '[40, 42, 41, 45, 50, 56, 57, 60]'::double[])
        end as distance
    from tanon_words_to_compare, tanon_release_length
),
-- sql/functions/kp/count_matching_series.sql
tanon_chosen_words as (
    select tanon_pr, tanon_level from tanon_word_distances where distance <= 0.2 + 1e-12
),
-- sql/functions/kp/count_matching_series.sql
tanon_asked_rows as (
    select p.*
    from tanon_release as p
    semi join tanon_chosen_words on p.word = tanon_pr and p.level = tanon_level
),
-- sql/steps/kp/chances.sql
tanon_asked_envelopes as (
    select low, high, count(*) as rows
    from tanon_asked_rows
    group by all
),
-- sql/steps/kp/chances.sql
tanon_asked_ranges as (
    select unnest('[{''position'': 8, ''low'': 60, ''high'': 90}]'::struct("position" integer, low double, high double)[]) as asked
),
-- sql/steps/kp/chances.sql
tanon_positions_are_there as (
select coalesce(error('tanon.count_matching_series' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'ranges must ask positions from 1 to ' || any_value(points)
        || ', got ' || max(asked['position'])
    from tanon_asked_ranges, tanon_release_length
    having max(asked['position']) > any_value(points) and any_value(points) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/kp/chances.sql
tanon_positions_are_published as (
select coalesce(error('tanon.count_matching_series' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'ranges must ask positions with published, finite ranges, got '
        || asked['position'] || '; see clip of tanon.estimate_withheld_ranges'
    from tanon_asked_envelopes, tanon_asked_ranges
    where (select tanon_fine from tanon_positions_are_there)
    group by asked['position']
    having not bool_and(
        coalesce(isfinite(low[asked['position']] + high[asked['position']]), false)
    )
    order by asked['position'] asc nulls last
    limit 1
) as tanon_messages(tanon_message)
),
-- sql/steps/kp/chances.sql
tanon_chances as (
    select
        rows,
        list_product(
            list_transform('[{''position'': 8, ''low'': 60, ''high'': 90}]'::struct("position"
            integer, low double, high double)[], lambda r: tanon._inside_share(
            low[r['position']], high[r['position']],
            coalesce(r['low'], '-inf'), coalesce(r['high'], 'inf')
        ))) as chance,
        list_bool_and(list_transform('[{''position'': 8, ''low'': 60, ''high'': 90}]'::struct("position" integer, low double, high double)[], lambda r:
            low[r['position']] <= coalesce(r['high'], 'inf')
            and coalesce(r['low'], '-inf') <= high[r['position']]
        )) as possible
    from tanon_asked_envelopes
    where (select tanon_fine from tanon_release_fits) and (select tanon_fine from tanon_positions_are_there)
        and (select tanon_fine from tanon_positions_are_published)
),
-- sql/steps/kp/chances.sql
tanon_count_in_ranges as (
    select
        coalesce(list_sum(list(
            rows * chance order by rows * chance asc nulls last
        )), 0)::double as estimate,
        sqrt(coalesce(list_sum(list(
            rows * chance * (1 - chance)
            order by rows * chance asc nulls last, rows asc nulls last
        )), 0)) as standard_error,
        coalesce(sum(rows) filter (chance = 1), 0)::bigint as at_least,
        coalesce(sum(rows) filter (possible), 0)::bigint as at_most
    from tanon_chances
)
-- sql/functions/kp/count_matching_series.sql
from tanon_count_in_ranges
