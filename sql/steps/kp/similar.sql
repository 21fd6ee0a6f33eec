-- The distance of each of `words_to_compare` (word, level, tanon_values) to the series asked for.
-- Yields: word_distances
-- Reads: release_length, words_to_compare
-- Takes: wanted

step word_distances
    select
        word as tanon_pr, level as tanon_level,
        case
            when len({wanted}) <> points then error(
                {function} || ': ' || {wanted:argument} || ' must be ' || points
                || ' numbers, got ' || len({wanted})
            )
            when list_contains(string_split(word, ''), '.') then error(
                {function} || ': release must have whole words, got '
                || word || '; see tanon.estimate_withheld_words'
            )
            when list_count(tanon_values) < points then error(
                {function} || ': release must have words with letters of their level, got '
                || word || ' at level ' || level
            )
            else tanon._pattern_distance(tanon_values, {wanted})
        end as distance
    from {words_to_compare}, {release_length}
end
