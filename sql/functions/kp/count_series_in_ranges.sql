-- Returns an estimate of how many series of a release have values in given ranges.
--
-- To count by shape too, use tanon.count_matching_series.
--
-- The estimate assumes that values are uniform within the published ranges and that positions are
-- independent. A row whose ranges lie within the given ranges counts as 1. A row whose ranges
-- overlap them counts as the product of the overlapping shares. standard_error assumes independent
-- rows. It does not include the error of the assumption of uniform values. A range without low or
-- high has no bound on that side.
--
-- Cost: one pass, with one evaluation for each distinct set of ranges.
--
-- Arguments:
--   release    relation(low DOUBLE[], high DOUBLE[], word VARCHAR, level INTEGER)  the release
--   ranges     ranges  the ranges of values, for example [{'position': 1, 'low': 40, 'high': 60}]
-- Result:
--   estimate        DOUBLE  the expected number of series
--   standard_error  DOUBLE  its standard error
--   at_least        BIGINT  series that certainly lie in the ranges
--   at_most         BIGINT  series that can lie in the ranges
-- For: anybody
-- Example:
--   from tanon.count_series_in_ranges('published_incomes', [
--       {'position': 1, 'low': 40, 'high': 60}, {'position': 8, 'low': 50, 'high': null}
--   ])

step asked_rows
    from {release}
end

from {count_in_ranges}
