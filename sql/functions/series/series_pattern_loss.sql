-- Returns how much of the shape of a series its word loses, from 0 to 2.
--
-- The loss is one minus the correlation of the series and of the normalized series of the word. It
-- is 0 if the word has the shape of the series, 1 if it says nothing, and 2 if it says the
-- opposite.
--
-- Arguments:
--   series  value    the original readings, a list of numbers
--   word    value    the published word
--   level   integer  the level of the word, from 1 to 26
-- Returns: DOUBLE
-- For: anybody
-- Example:
--   select tanon.series_pattern_loss([1, 2, 4], 'abc', 3) as loss

tanon._answer(tanon_pattern_loss(tanon._series('tanon.series_pattern_loss', series), word, level))
