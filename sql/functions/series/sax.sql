-- Returns the SAX word of a series: one letter for each reading.
--
-- The function normalizes the series by its mean and its sample standard deviation. A level is the
-- number of letters. Letters divide the normal distribution into equally likely parts, and 'a' is
-- the lowest. A reading on a boundary gets the upper letter, with a tolerance of 1e-12. A constant
-- series has the letter that contains 0. With segments, the letters stand for means of equally long
-- parts of the series. NULL gives NULL. A NULL, NaN or infinite reading is an error, as is a series
-- of fewer than 2 readings.
--
-- Arguments:
--   series    value           readings in the order of time, a list of numbers
--   level     integer         the number of different letters, from 2 to 26
--   segments  integer = NULL  the number of letters of the word; NULL: one for each reading
-- Returns: VARCHAR
-- For: anybody
-- Example:
--   select name, tanon.sax(incomes, 3) as word from incomes order by name limit 3

tanon._answer(tanon_sax(tanon._series('tanon.sax', series), level, segments))
