-- Returns the normalized series of a SAX word, with mean near 0 and standard deviation near 1.
--
-- Each letter becomes the median of its part of the normal distribution. At level 1 the result is
-- all 0.
--
-- Arguments:
--   word   value    a word
--   level  integer  the level of the word, from 1 to 26
-- Returns: DOUBLE[]
-- For: anybody
-- Example:
--   select tanon.sax_series('aabc', 3) as series

tanon._answer(tanon_sax_series(word, level))
