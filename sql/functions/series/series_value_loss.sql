-- Returns the value loss of a row: the root mean square of the widths of its ranges.
--
-- 0 means that the ranges reveal the readings. The value loss of a release is the mean over its
-- rows. Differences of whole numbers are exact. A result above the largest DOUBLE is infinity.
--
-- Arguments:
--   low   value  the lower ends of the ranges, a list of numbers
--   high  value  the upper ends of the ranges
-- Returns: DOUBLE
-- For: anybody
-- Example:
--   select tanon.series_value_loss([1, 2], [4, 6]) as loss

case when tanon._unfit_setting('tanon.series_value_loss') is not null
    then error(tanon._unfit_setting('tanon.series_value_loss'))
    else tanon._value_loss(low, high, tanon._ends(low), tanon._ends(high)) end
