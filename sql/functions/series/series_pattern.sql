-- Returns the pattern of a series: the differences between all pairs of its readings.
--
-- A difference is the later reading minus the earlier one, in the order (1,2), (1,3), ..., (2,3). A
-- series of n readings has n (n - 1) / 2 differences, so it may have at most 2000 readings. To
-- measure losses use tanon.series_pattern_loss, which has no such limit.
--
-- Arguments:
--   series  value  readings in the order of time, a list of numbers
-- Returns: DOUBLE[]
-- For: anybody
-- Example:
--   select tanon.series_pattern([3, 5, 4]) as differences

flatten(list_transform(
    case when tanon._unfit_setting('tanon.series_pattern') is not null
    then error(tanon._unfit_setting('tanon.series_pattern'))
    when len(tanon._as_series('tanon.series_pattern', series)::double[]) > 2000 then
        error('tanon.series_pattern: series must be at most 2000 readings, as n readings have '
            || 'n (n - 1) / 2 differences, got '
            || len(tanon._as_series('tanon.series_pattern', series)::double[]))
    else tanon._series('tanon.series_pattern', series)::double[] end,
    lambda earlier, i: list_transform(
        (tanon._as_series('tanon.series_pattern', series)::double[])[i + 1:],
        lambda later: later - earlier)
))
