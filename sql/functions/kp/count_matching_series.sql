-- Returns an estimate of how many series of a release have a given shape and given values.
--
-- Pass predicates as in tanon.correlated_series, pattern and tolerance as in tanon.similar_series,
-- or both. Pass ranges as in tanon.count_series_in_ranges. The estimate assumes that the values and
-- the word of a row are independent.
--
-- Cost: one evaluation for each distinct word and for each distinct set of ranges.
--
-- Arguments:
--   release     relation(low DOUBLE[], high DOUBLE[], word VARCHAR, level INTEGER)  the release
--   ranges      ranges                   the ranges of values
--   predicates  expressions = NULL       SQL conditions over series, the normalized series of the
--       word
--   pattern     numbers = NULL           the series to compare with
--   tolerance   number in [0, 2] = NULL  the largest distance from pattern
-- Checks:
--   pattern    predicates is not null or pattern is not null  a series, if predicates is not given
--   tolerance  (pattern is null) = (tolerance is null)        given together with pattern
-- Result:
--   estimate        DOUBLE  the expected number of series
--   standard_error  DOUBLE  its standard error
--   at_least        BIGINT  matching series that certainly satisfy the ranges
--   at_most         BIGINT  matching series that can satisfy the ranges
-- For: anybody
-- Example:
--   from tanon.count_matching_series(
--       'published_incomes', [{'position': 8, 'low': 60, 'high': 90}],
--       pattern := [40, 42, 41, 45, 50, 56, 57, 60], tolerance := 0.2
--   )

let wanted = pattern

step words_to_compare
    select word, level, series as tanon_values
    from {rebuilt_words}
    where {if predicates is not null} {predicates} {else} true {end}
end

step chosen_words
    {if pattern is not null}
    select tanon_pr, tanon_level from {word_distances} where distance <= {tolerance} + 1e-12
    {else}
    select word as tanon_pr, level as tanon_level from {words_to_compare}
    {end}
end

step asked_rows
    select p.*
    from {release} as p
    semi join {chosen_words} on p.word = tanon_pr and p.level = tanon_level
end

from {count_in_ranges}
