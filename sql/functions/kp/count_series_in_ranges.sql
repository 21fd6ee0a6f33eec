-- How many series of a release have values in the given ranges: an estimate with its error.
--
-- Each published range is taken as uniform and the positions as independent of each other. A row
-- whose ranges lie within the asked ones counts as 1, one whose ranges only overlap them as the
-- product of the shares. standard_error is that of the sum of such chances, for independent rows;
-- it does not measure how far real values are from uniform. A range without low or high is open.
--
-- Cost: one pass; each distinct envelope is looked at once.
--
-- Arguments:
--   release    relation(low DOUBLE[], high DOUBLE[], word VARCHAR, level INTEGER)  the release
--   ranges     ranges  the ranges asked for, for example [{'position': 1, 'low': 40, 'high': 60}]
-- Result:
--   estimate        DOUBLE  the expected number of series
--   standard_error  DOUBLE  its standard error
--   at_least        BIGINT  series that are certainly inside
--   at_most         BIGINT  series that may be inside
-- For: anybody
-- Example:
--   from tanon.count_series_in_ranges('published_incomes', [
--       {'position': 1, 'low': 40, 'high': 60}, {'position': 8, 'low': 50, 'high': null}
--   ])

step asked_rows
    from {release}
end

from {count_in_ranges}
