-- How much of a series' pattern its published word loses, from 0 to 2.
--
-- One minus the cosine of the pairwise differences (tanon.series_pattern) of the series and of what
-- the word stands for (tanon.sax_series); that cosine is their correlation, so no pair is formed.
-- 0: nothing is lost; 1: the word says nothing; above 1: it says the opposite.
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
