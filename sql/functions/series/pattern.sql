-- The pattern of a series: the differences of all pairs of its readings.
--
-- Later minus earlier, in the order (1,2), (1,3), ..., (2,3), ...: what patterns are compared by.
-- A series of n readings has n (n - 1) / 2 of them; for losses use tanon.pattern_loss, which never
-- forms them.
--
-- Arguments:
--   series  value  readings in the order of time, a list of numbers
-- Returns: DOUBLE[]
-- Example:
--   select tanon.pattern([3, 5, 4]) as differences

flatten(list_transform(series::double[], lambda earlier, i:
    list_transform(series[i + 1:], lambda later: later::double - earlier)))
