-- The series that a SAX word stands for, with mean near 0 and standard deviation near 1.
--
-- Each letter becomes the median of its share of the normal distribution. A level of 1 has only
-- the letter 'a' and says nothing: all 0.
--
-- Arguments:
--   word   value    a word
--   level  integer  the level it was written at, from 1 to 26
-- Returns: DOUBLE[]
-- For: anybody
-- Example:
--   select tanon.sax_series('aabc', 3) as series

tanon._answer(tanon_sax_series(word, level))
