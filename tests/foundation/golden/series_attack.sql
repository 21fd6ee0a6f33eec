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
        'tanon.series_attack: release must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from "published_incomes")
),
-- the argument release: tanon_duck/macros/source_ctes.py
tanon_release_is_fine as (
    select coalesce(error(coalesce(
        (select
            'tanon.series_attack: release must be a table, a view or a query in parentheses with columns low, high, word, level'
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
                (1, 'charity', 'charity',
                    'tanon.series_attack: sensitive must be columns of release, none twice, each a column that is not nested',
                    '[^\[(]*|(DECIMAL|ENUM)\(.*\)', ''),
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
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_given_source as materialized (
    from (select * not similar to '(?i)tanon_.*' from (select name, incomes as yearly, charity from incomes))
    union all by name select null as "charity", null as "name", null as "yearly" where false
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_columns_of_source as materialized (
    select *, coalesce(error(case
        when column_name similar to '(?i)tanon_.*' then
        'tanon.series_attack: source must be a relation without columns that begin with tanon_, got one with '
        || column_name end)::varchar,
        translate(column_name, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')) as folded
    from (describe from (select name, incomes as yearly, charity from incomes))
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
                (0, 'name', 'name', 'tanon.series_attack: series_id must be a column of source', '', ''),
                (1000001, 'yearly', 'yearly',
                    'tanon.series_attack: series must be columns of source, none twice, each a column of lists of numbers or a numeric column',
                    '(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\))\[\d*\]|U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*\)', ''),
                (2000001, 'charity', 'charity',
                    'tanon.series_attack: sensitive must be columns of source, none twice, each a column that is not nested',
                    '[^\[(]*|(DECIMAL|ENUM)\(.*\)', ''),
                (null, '', '', '', '', '')) as t(place, x, wanted, say, types, hint))
            where place is not null
            group by place, x, wanted, say, hint
            having not bool_or(it and not is_mixed
                and (types = '' or regexp_full_match(column_type, types))))),
        (select 'tanon.series_attack: series_id must be free of NULL, got ' || count(*) || ' rows with NULL in name'
        from tanon_given_source where "name" is null
        having count(*) > 0),
        (select 'tanon.series_attack: series must be free of NULL, got ' || count(*) || ' rows with NULL in yearly'
        from tanon_given_source where "yearly" is null
        having count(*) > 0),
        null::varchar))::boolean, true) as fine
),
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from tanon_given_source where (select fine from tanon_source_is_fine)
),
-- sql/functions/kp/series_attack.sql
tanon_targets as (
    select
        row_number() over () as target, "name" as tanon_id,
        tanon._exact('tanon.series_attack', typeof("yearly"), tanon._readings("yearly"))
     as tanon_values,
        row(s."charity") as tanon_value
    from tanon_source as s
),
-- sql/steps/kp/targets_fit.sql
tanon_points_of_targets as (
    select coalesce(
        (select max(len(low)) from tanon_release),
        (select max(len(tanon_values)) from tanon_targets)
    ) as points
),
-- sql/steps/kp/targets_fit.sql
tanon_release_is_whole as (
select coalesce(error('tanon.series_attack' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'release must be ranges and words of one length ('
        || any_value(points) || '), got ' || count(*) || ' rows that are not'
    from tanon_release, tanon_points_of_targets
    where (
        len(low) = points and len(high) = points and length(word) = points and level >= 1
    ) is not true
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/kp/targets_fit.sql
tanon_targets_fit as (
select coalesce(error('tanon.series_attack' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'source must fit published: finite series of '
        || any_value(points) || ' values, got ' || count(*) || ' others'
    from tanon_targets, tanon_points_of_targets
    where (select tanon_fine from tanon_release_is_whole) and (
        len(tanon_values) = points and list_bool_and(list_transform(
            tanon_values, lambda v: coalesce(isfinite(v), false)
        ))
    ) is not true
    having count(*) > 0
) as tanon_messages(tanon_message)
),
-- sql/steps/kp/possible_sets.sql
tanon_release_cells as (
    select
        low, high, word, level, row("charity") as tanon_value, own_pattern as tanon_own,
        count(*) as rows
    from (from tanon_release union all by name select null::boolean as own_pattern where false)
    where (select tanon_fine from tanon_release_is_whole) and (select tanon_fine from tanon_targets_fit)
    group by all
),
-- sql/steps/kp/possible_sets.sql
tanon_possible_secrets as (
    select tanon_value, row_number() over () as secret
    from (select distinct tanon_value from tanon_release_cells)
),
-- sql/steps/kp/possible_sets.sql
tanon_marked_targets as (
    select target, secret from tanon_targets join tanon_possible_secrets using (tanon_value)
),
-- sql/functions/kp/series_attack.sql
tanon_known_positions as (
    select range(1, points + 1)::integer[] as tanon_known
    from tanon_points_of_targets
    where (select tanon_fine from tanon_release_is_whole) and (select tanon_fine from tanon_targets_fit)
),
-- sql/steps/kp/possible_rows.sql
tanon_position_slots as (
    select
        list_resize(tanon_known[:16], 16, tanon_known[1]) as slots,
        case when len(tanon_known) > 16 then tanon_known[17:] end as others,
        tanon_known[-1] as x, tanon_known[(len(tanon_known) + 1) // 2] as y
    from tanon_known_positions
),
-- sql/steps/kp/possible_rows.sql
tanon_grid as (
    select
        slots, others, x, y,
        quantile_disc(tanon_values[x], [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875]) as x_edges,
        quantile_disc(tanon_values[y], [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875]) as y_edges
    from tanon_targets, tanon_position_slots
    group by all
),
-- sql/steps/kp/possible_rows.sql
tanon_points_in_grid as (
    select
        target, secret, list_transform(others, lambda i: tanon_values[i]) as values,
        len(list_filter(x_edges, lambda e: e <= tanon_values[x])) as x_cell,
        len(list_filter(y_edges, lambda e: e <= tanon_values[y])) as y_cell
        , tanon_values[slots[1]] as v1
        , tanon_values[slots[2]] as v2
        , tanon_values[slots[3]] as v3
        , tanon_values[slots[4]] as v4
        , tanon_values[slots[5]] as v5
        , tanon_values[slots[6]] as v6
        , tanon_values[slots[7]] as v7
        , tanon_values[slots[8]] as v8
        , tanon_values[slots[9]] as v9
        , tanon_values[slots[10]] as v10
        , tanon_values[slots[11]] as v11
        , tanon_values[slots[12]] as v12
        , tanon_values[slots[13]] as v13
        , tanon_values[slots[14]] as v14
        , tanon_values[slots[15]] as v15
        , tanon_values[slots[16]] as v16
    from tanon_targets left join tanon_marked_targets using (target), tanon_grid
),
-- sql/steps/kp/possible_sets.sql
tanon_possible_envelopes as (
    select low, high, row_number() over () as envelope
    from (select distinct low, high from tanon_release_cells)
),
-- sql/steps/kp/possible_rows.sql
tanon_boxes as (
    select
        envelope,
        list_transform(others, lambda i: coalesce(low[i], '-inf')) as lows,
        list_transform(others, lambda i: coalesce(high[i], 'inf')) as highs,
        x_cell, unnest(tanon._grid_cells(y_edges, low[y], high[y])) as y_cell
        , coalesce(low[slots[1]], '-inf') as l1
        , coalesce(high[slots[1]], 'inf') as h1
        , coalesce(low[slots[2]], '-inf') as l2
        , coalesce(high[slots[2]], 'inf') as h2
        , coalesce(low[slots[3]], '-inf') as l3
        , coalesce(high[slots[3]], 'inf') as h3
        , coalesce(low[slots[4]], '-inf') as l4
        , coalesce(high[slots[4]], 'inf') as h4
        , coalesce(low[slots[5]], '-inf') as l5
        , coalesce(high[slots[5]], 'inf') as h5
        , coalesce(low[slots[6]], '-inf') as l6
        , coalesce(high[slots[6]], 'inf') as h6
        , coalesce(low[slots[7]], '-inf') as l7
        , coalesce(high[slots[7]], 'inf') as h7
        , coalesce(low[slots[8]], '-inf') as l8
        , coalesce(high[slots[8]], 'inf') as h8
        , coalesce(low[slots[9]], '-inf') as l9
        , coalesce(high[slots[9]], 'inf') as h9
        , coalesce(low[slots[10]], '-inf') as l10
        , coalesce(high[slots[10]], 'inf') as h10
        , coalesce(low[slots[11]], '-inf') as l11
        , coalesce(high[slots[11]], 'inf') as h11
        , coalesce(low[slots[12]], '-inf') as l12
        , coalesce(high[slots[12]], 'inf') as h12
        , coalesce(low[slots[13]], '-inf') as l13
        , coalesce(high[slots[13]], 'inf') as h13
        , coalesce(low[slots[14]], '-inf') as l14
        , coalesce(high[slots[14]], 'inf') as h14
        , coalesce(low[slots[15]], '-inf') as l15
        , coalesce(high[slots[15]], 'inf') as h15
        , coalesce(low[slots[16]], '-inf') as l16
        , coalesce(high[slots[16]], 'inf') as h16
    from (
        select *, unnest(tanon._grid_cells(x_edges, low[x], high[x])) as x_cell
        from tanon_possible_envelopes, tanon_grid
    )
),
-- sql/steps/kp/possible_rows.sql
tanon_compared as (
    select sum(p.rows::hugeint * b.rows) as pairs
    from (select x_cell, y_cell, count(*) as rows from tanon_points_in_grid group by all) as p
    join (select x_cell, y_cell, count(*) as rows from tanon_boxes group by all) as b
        using (x_cell, y_cell)
),
-- sql/steps/kp/possible_rows.sql
tanon_few_are_compared as (
select coalesce(error('tanon.series_attack' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'source must hold few enough series for at most 2000000000 comparisons of one with '
        || 'a published range, got ' || pairs || '; ranges at more positions need fewer, too'
    from tanon_compared
    where pairs > 2000000000
) as tanon_messages(tanon_message)
),
-- sql/steps/kp/possible_rows.sql
tanon_inside as materialized (
    select target, secret, envelope
    from tanon_points_in_grid as p join tanon_boxes as b on
        p.x_cell = b.x_cell and p.y_cell = b.y_cell
        and l1 <= v1
        and h1 >= v1
        and l2 <= v2
        and h2 >= v2
        and l3 <= v3
        and h3 >= v3
        and l4 <= v4
        and h4 >= v4
        and l5 <= v5
        and h5 >= v5
        and l6 <= v6
        and h6 >= v6
        and l7 <= v7
        and h7 >= v7
        and l8 <= v8
        and h8 >= v8
        and l9 <= v9
        and h9 >= v9
        and l10 <= v10
        and h10 >= v10
        and l11 <= v11
        and h11 >= v11
        and l12 <= v12
        and h12 >= v12
        and l13 <= v13
        and h13 >= v13
        and l14 <= v14
        and h14 >= v14
        and l15 <= v15
        and h15 >= v15
        and l16 <= v16
        and h16 >= v16
    where (select tanon_fine from tanon_few_are_compared) and (values is null or list_bool_and(list_transform(
        range(1, len(values) + 1), lambda i: lows[i] <= values[i] and values[i] <= highs[i])))
),
-- sql/steps/kp/possible_sets.sql
tanon_possible_patterns as (
    select word, level, row_number() over () as pattern, regexp_replace(word, '[^.]', 'x',
        'g') as mask
    from (select distinct word, level from tanon_release_cells)
),
-- sql/steps/kp/possible_sets.sql
tanon_coded_cells as (
    select envelope, pattern, secret, tanon_own, rows
    from tanon_release_cells
    join tanon_possible_envelopes using (low, high)
    join tanon_possible_patterns using (word, level)
    join tanon_possible_secrets using (tanon_value)
),
-- sql/steps/kp/possible_sets.sql
tanon_published_levels as (
    select list(
        distinct level order by level asc nulls last
    )::integer[] as levels from tanon_possible_patterns
),
-- sql/steps/kp/possible_sets.sql
tanon_words_of_targets as (
    select
        target, unnest(levels) as level,
        unnest(tanon._answer("_tanon_words_at_levels"(tanon_values, levels))) as word
    from tanon_targets, tanon_published_levels
    where (select tanon_fine from tanon_release_is_whole) and (select tanon_fine from tanon_targets_fit)
),
-- sql/steps/kp/possible_sets.sql
tanon_masks as (
    select distinct level, mask from tanon_possible_patterns
),
-- sql/steps/kp/possible_sets.sql
tanon_masked_words as (
    select target, level, if(mask not like '%.%', word, array_to_string(list_transform(
        range(1, length(word) + 1), lambda i: if(mask[i] = '.', '.', word[i])), '')) as word
    from tanon_words_of_targets join tanon_masks using (level)
),
-- sql/steps/kp/possible_sets.sql
tanon_fitting_patterns as (
    select distinct target, pattern
    from tanon_masked_words join tanon_possible_patterns using (level, word)
),
-- sql/functions/kp/series_attack.sql
tanon_strategies as (
    select target, 1 as strategy, envelope, pattern, o.secret, o.rows
    from tanon_inside join tanon_coded_cells as o using (envelope)
    where 'unified' <> 'pattern'
    union all
    select target, 2, 0 as envelope, pattern, secret, rows
    from tanon_fitting_patterns join tanon_coded_cells using (pattern)
    where 'unified' in ('pattern', 'best')
    union all
    select target, 3, envelope, pattern, o.secret, o.rows
    from tanon_fitting_patterns
    join tanon_coded_cells as o using (pattern)
    semi join tanon_inside using (target, envelope)
    where 'unified' not in ('values', 'pattern')
    union all
    select target, 4, envelope, pattern, o.secret, o.rows
    from tanon_inside
    join tanon_coded_cells as o using (envelope)
    left join tanon_fitting_patterns as f using (target, pattern)
    where 'unified' not in ('values', 'pattern') and tanon_own = (f.target is not null)
),
-- sql/functions/kp/series_attack.sql
tanon_strategies_that_count as (
    from tanon_strategies
    qualify 'unified' = 'best' or strategy = max(strategy) over (partition by target)
),
-- sql/functions/kp/series_attack.sql
tanon_counted_guesses as (
    select
        target, strategy,
         0 as envelope, 0 as pattern ,
        secret, sum(rows) as rows
    from tanon_strategies_that_count
    group by all
),
-- sql/functions/kp/series_attack.sql
tanon_weighed_guesses as (
    select
        * exclude (strategy, share),
         rows as weight
    from (
        select *, rows / sum(rows) over (partition by target, strategy) as share
        from tanon_counted_guesses
    )
),
-- sql/functions/kp/series_attack.sql
tanon_guesses as (
    select
        target, sum(rows) as candidates, any_value(own.secret) as truth,
        bool_or(w.secret = own.secret) as has_truth,
        arg_max(w.secret, (
             weight ,
            hash(hash(tanon_id), hash(s.tanon_value), 0)
        )) as guess
    from tanon_weighed_guesses as w
    join tanon_possible_secrets as s using (secret)
    join tanon_targets using (target)
    left join tanon_marked_targets as own using (target)
    group by target, envelope, pattern
),
-- sql/functions/kp/series_attack.sql
tanon_scored as (
    select target, sum(candidates) as candidates,
        coalesce(avg((guess = truth)::integer) filter (
             true
        ), 0) as hit
    from tanon_guesses
    group by target
),
-- sql/functions/kp/series_attack.sql
tanon_totals as (
    select
        count(*) as n, coalesce(sum(candidates), 0) / greatest(count(*), 1) as candidates,
        coalesce(list_sum(list(hit order by hit asc nulls last)), 0)::double as hits,
        coalesce(list_sum(list(hit order by hit asc nulls last)), 0) / greatest(count(*), 1) as p
    from tanon_targets left join tanon_scored using (target)
),
-- sql/steps/kp/possible_sets.sql
tanon_possible_classes as (
    select
        envelope, pattern, sum(rows)::bigint as rows,
        coalesce(sum(rows) filter (tanon_own), 0) as own,
        coalesce(sum(rows) filter (not tanon_own), 0) as others
    from tanon_coded_cells group by envelope, pattern
)
-- sql/functions/kp/series_attack.sql
select
    'unified' as attack, n as targets, candidates, hits, p as hit_rate,
    greatest(0, centre - reach) as low, least(1, centre + reach) as high,
    1 / smallest as promised
from (
    select
        *, (p + 1.920729 / m) / (1 + 3.841459 / m) as centre,
        1.959964 * sqrt(p * (1 - p) / m + 0.960365 / m / m) / (1 + 3.841459 / m)
            as reach
    from (select *, nullif(n, 0) as m from tanon_totals)
), (
    select min(rows) as smallest
    from (select sum(rows) as rows from tanon_possible_classes group by envelope, pattern)
)
