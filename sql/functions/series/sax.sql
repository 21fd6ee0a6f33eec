-- The word of a series in SAX: one letter for each reading, by where it lies in its own series.
--
-- A series is normalized by its mean and its sample standard deviation; a level cuts the normal
-- distribution into that many equally likely letters, 'a' the lowest. A reading on a break point
-- takes the upper letter, within a tolerance of 1e-12, so that the rounding of a mean decides
-- nothing. A constant series has one letter, the one that holds 0. With segments, means of that
-- many equally long pieces become letters instead of single readings. NULL gives NULL; a NULL,
-- NaN or infinite reading and a series of fewer than 2 readings are errors.
--
-- Arguments:
--   series    value           readings in the order of time, a list of numbers
--   level     integer         how many letters, from 2 to 26
--   segments  integer = NULL  letters per word (NULL: one for each reading)
-- Returns: VARCHAR
-- For: anybody
-- Example:
--   select name, tanon.sax(incomes, 3) as word from incomes order by name limit 3

tanon._answer(tanon_sax(tanon._series('tanon.sax', series), level, segments))
