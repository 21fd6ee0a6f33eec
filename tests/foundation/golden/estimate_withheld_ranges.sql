with
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_given_release as materialized (
    from (select * not similar to '(?i)tanon_.*' from (from tanon.publish_series_parts('published_incomes', [1, 2, 3, 4, 5], [3, 4, 5, 6, 7,
    8],
        keep := 'charity', allow_identifying := 'charity')))
    union all by name select null::DOUBLE[] as low, null::DOUBLE[] as high, null::VARCHAR as word, null::INTEGER as level where false
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_columns_of_release as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.estimate_withheld_ranges: release must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from (from tanon.publish_series_parts('published_incomes', [1, 2, 3, 4, 5], [3, 4, 5, 6, 7,
    8],
        keep := 'charity', allow_identifying := 'charity')))
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release_is_fine as (
    select coalesce(error(coalesce(
        (select
            'tanon.estimate_withheld_ranges: release must be a table, a view or a query in parentheses with columns low, high, word, level'
            || ', got one without ' || string_agg(wanted, ', ')
        from (select unnest(['low', 'high', 'word', 'level']::varchar[]) as wanted)
        where wanted not in (select folded from tanon_columns_of_release)
        having count(*) > 0),
        (select
            'tanon.estimate_withheld_ranges: release must be a relation without columns range_estimated, consistent, got one with '
            || min(column_name)
        from tanon_columns_of_release
        where list_contains(['range_estimated', 'consistent']::varchar[], folded)
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release as not materialized (
    from tanon_given_release where (select fine from tanon_release_is_fine)
),
-- sql/steps/kp/estimated.sql
tanon_release_widened as (
    from tanon_release
    union all by name
    select
        null::boolean[] as letter_estimated, null::double[] as domain_low,
        null::double[] as domain_high
    where false
),
-- sql/steps/kp/release_fits.sql
tanon_release_length as (
    select coalesce(max(len(low)), 0) as points from tanon_release
),
-- sql/steps/kp/release_fits.sql
tanon_release_fits as (
select coalesce(error('tanon.estimate_withheld_ranges' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
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
-- sql/steps/kp/estimated.sql
tanon_classes_to_estimate as (
    select distinct low, high, word, level, letter_estimated as earlier
    from tanon_release_widened
    where (select tanon_fine from tanon_release_fits)
),
-- sql/steps/kp/estimated.sql
tanon_estimates as (
    select
        low as tanon_low, high as tanon_high, word as tanon_pr, level as tanon_level,
        tanon._answer("_tanon_estimate_cells"(low, high, word, level, coalesce(earlier, []), 'ranges'))
            as tanon_found
    from tanon_classes_to_estimate
),
-- sql/functions/kp/estimate_withheld_ranges.sql
tanon_extent as (
    select
        list(l order by position asc nulls last) as lows,
        list(h order by position asc nulls last) as highs
    from (
        select
            position,
            coalesce(min(domain_low[position]), min(low[position])) as l,
            coalesce(max(domain_high[position]), max(high[position])) as h
        from tanon_release_widened, tanon_release_length,
            unnest(range(1, points + 1)) as positions(position)
        group by position
    )
),
-- sql/functions/kp/estimate_withheld_ranges.sql
tanon_filled_classes as (
    select
        tanon_low, tanon_high, tanon_pr, tanon_level,
        tanon_found['estimated'] as range_estimated, tanon_found['consistent'] as consistent,
        list_transform(tanon_found['low'], lambda x, i: case
            when range_estimated[i] then least(greatest(x, lows[i]), coalesce(highs[i], 'inf'))
            else x end) as new_low,
        list_transform(tanon_found['high'], lambda x, i: case
            when range_estimated[i] then greatest(least(x, highs[i]), coalesce(lows[i], '-inf'))
            else x end) as new_high
    from tanon_estimates, tanon_extent
)
-- sql/functions/kp/estimate_withheld_ranges.sql
select columns(lambda c: c not in ('domain_low', 'domain_high'))
from (
    select
        c.* replace (f.new_low as low, f.new_high as high), f.range_estimated, f.consistent
    from tanon_release as c
    join tanon_filled_classes as f on
        c.low = tanon_low and c.high = tanon_high and c.word = tanon_pr and c.level = tanon_level
)
