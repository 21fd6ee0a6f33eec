-- The candidates of each target by pattern, and the classes of the release that they are in.
-- Where the release tells own_pattern, so many rows of a class have it true (own) or not (others).
-- Numbers stand for envelopes, patterns and sensitive values, so that joins are on integers.
-- Yields: coded_cells, fitting_patterns, marked_targets, possible_classes, possible_envelopes,
--     possible_secrets
-- Reads: release_is_whole, targets, targets_fit
-- Takes: release, sensitive

step release_cells
    select
        low, high, word, level, row({sensitive}) as tanon_value, own_pattern as tanon_own,
        count(*) as rows
    from (from {release} union all by name select null::boolean as own_pattern where false)
    where {checked release_is_whole} and {checked targets_fit}
    group by all
end

step possible_envelopes
    select low, high, row_number() over () as envelope
    from (select distinct low, high from {release_cells})
end

step possible_patterns
    select word, level, row_number() over () as pattern, regexp_replace(word, '[^.]', 'x',
        'g') as mask
    from (select distinct word, level from {release_cells})
end

step possible_secrets
    select tanon_value, row_number() over () as secret
    from (select distinct tanon_value from {release_cells})
end

step coded_cells
    select envelope, pattern, secret, tanon_own, rows
    from {release_cells}
    join {possible_envelopes} using (low, high)
    join {possible_patterns} using (word, level)
    join {possible_secrets} using (tanon_value)
end

step possible_classes
    select
        envelope, pattern, sum(rows)::bigint as rows,
        coalesce(sum(rows) filter (tanon_own), 0) as own,
        coalesce(sum(rows) filter (not tanon_own), 0) as others
    from {coded_cells} group by envelope, pattern
end

step marked_targets
    select target, secret from {targets} join {possible_secrets} using (tanon_value)
end

step published_levels
    select list(
        distinct level order by level asc nulls last
    )::integer[] as levels from {possible_patterns}
end

step words_of_targets
    select
        target, unnest(levels) as level,
        unnest(tanon._answer(tanon_words_at_levels(tanon_values, levels))) as word
    from {targets}, {published_levels}
    where {checked release_is_whole} and {checked targets_fit}
end

step masks
    select distinct level, mask from {possible_patterns}
end

step masked_words
    select target, level, if(mask not like '%.%', word, array_to_string(list_transform(
        range(1, length(word) + 1), lambda i: if(mask[i] = '.', '.', word[i])), '')) as word
    from {words_of_targets} join {masks} using (level)
end

step fitting_patterns
    select distinct target, pattern
    from {masked_words} join {possible_patterns} using (level, word)
end
