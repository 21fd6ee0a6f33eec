-- How wide an envelope is: the root mean square of its ranges.
--
-- 0 means that the readings themselves are published. Averaged over the rows of a release it is
-- the value loss of the release. Differences of whole numbers are exact. What is wider than the
-- largest DOUBLE is infinity.
--
-- Arguments:
--   low   value  the lower ends of the ranges, a list of numbers
--   high  value  the upper ends
-- Returns: DOUBLE
-- For: anybody
-- Example:
--   select tanon.series_value_loss([1, 2], [4, 6]) as loss

case when tanon._unfit_setting('tanon.series_value_loss') is not null
    then error(tanon._unfit_setting('tanon.series_value_loss'))
    else tanon._value_loss(low, high, tanon._ends(low), tanon._ends(high)) end
