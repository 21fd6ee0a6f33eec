-- Returns a release of parts with estimates of the withheld letters.
--
-- Use this function on releases of tanon.publish_series_parts. tanon.estimate_withheld_ranges
-- estimates withheld ranges.
--
-- The published ranges and letters of a row bound the values of each letter. The function chooses
-- the letter whose bounds overlap the range of the position most, and the lowest one if several do.
-- An estimated letter can be wrong. It is more often wrong if fewer letters are published. A
-- position without range and letter stays a dot.
--
-- Cost: one estimate for each distinct class. Memory: constant.
--
-- Arguments:
--   release     relation(low DOUBLE[], high DOUBLE[], word VARCHAR, level INTEGER)  the release
-- Result:
--   release.*      as in release  the row with the completed word
--   letter_estimated  BOOLEAN[]         which letters are estimates
-- For: anybody
-- Example:
--   from tanon.estimate_withheld_words(
--       '(from tanon.publish_series_parts(''published_incomes'', [1, 2, 3, 4, 5, 6], [3, 4, 5, 6,
--       7, 8],
--           keep := ''charity'', allow_identifying := ''charity''))'
--   ) order by charity limit 5

piece what
    'letters'
end

piece earlier_flags
    range_estimated
end

select c.* replace (tanon_found['word'] as word), tanon_found['estimated'] as letter_estimated
from {release} as c
join {estimates} on
    c.low = tanon_low and c.high = tanon_high and c.word = tanon_pr and c.level = tanon_level
