-- sql/functions/series/series_pattern.sql
-- tanon._as_series: sql/private/series.sql
-- tanon._series: sql/private/series.sql
-- tanon._unfit_setting: sql/private/operators.sql
flatten(list_transform(
    case when tanon._unfit_setting('tanon.series_pattern') is not null
    then error(tanon._unfit_setting('tanon.series_pattern'))
    when len(tanon._as_series('tanon.series_pattern', ([3, 5, 4]))::double[]) > 2000 then
        error('tanon.series_pattern: series must be at most 2000 readings, as n readings have '
            || 'n (n - 1) / 2 differences, got '
            || len(tanon._as_series('tanon.series_pattern', ([3, 5, 4]))::double[]))
    else tanon._series('tanon.series_pattern', ([3, 5, 4]))::double[] end,
    lambda earlier, i: list_transform(
        (tanon._as_series('tanon.series_pattern', ([3, 5, 4]))::double[])[i + 1:],
        lambda later: later - earlier)
))
