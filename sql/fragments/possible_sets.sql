{# The candidates of each target, by values, by pattern and by both, as classes of the release.
   Where the release tells own_pattern, so many rows of a class have it true (own) or not (others).
   Numbers stand for envelopes, patterns and sensitive values, so that joins are on integers. #}
tanon_cells as (
    select
        low, high, pr, level, row({sensitive}) as tanon_value, own_pattern as tanon_own,
        count(*) as rows
    from (from {published} union all by name select null::boolean as own_pattern where false)
    where (select fits from tanon_fits)
    group by all
),
tanon_envelopes as (
    select low, high, row_number() over () as envelope
    from (select distinct low, high from tanon_cells)
),
tanon_patterns as (
    select pr, level, row_number() over () as pattern, regexp_replace(pr, '[^.]', 'x', 'g') as mask
    from (select distinct pr, level from tanon_cells)
),
tanon_secrets as (
    select tanon_value, row_number() over () as secret
    from (select distinct tanon_value from tanon_cells)
),
tanon_coded as (
    select envelope, pattern, secret, tanon_own, rows
    from tanon_cells
    join tanon_envelopes using (low, high)
    join tanon_patterns using (pr, level)
    join tanon_secrets using (tanon_value)
),
tanon_classes as (
    select
        envelope, pattern, sum(rows)::bigint as rows,
        coalesce(sum(rows) filter (tanon_own), 0) as own,
        coalesce(sum(rows) filter (not tanon_own), 0) as others
    from tanon_coded group by envelope, pattern
),
tanon_marked as (
    select target, secret from tanon_targets join tanon_secrets using (tanon_value)
),
tanon_levels as (
    select list(distinct level order by level)::integer[] as levels from tanon_patterns
),
tanon_words as (
    select
        target, unnest(levels) as level,
        unnest(tanon_words_at_levels(tanon_values, levels)) as word
    from tanon_targets, tanon_levels where (select fits from tanon_fits)
),
tanon_masks as (select distinct level, mask from tanon_patterns),
tanon_shown as (
    select target, level, if(mask not like '%.%', word, array_to_string(list_transform(
        range(1, length(word) + 1), lambda i: if(mask[i] = '.', '.', word[i])), '')) as pr
    from tanon_words join tanon_masks using (level)
),
tanon_fitting as (
    select distinct target, pattern from tanon_shown join tanon_patterns using (level, pr)
)
