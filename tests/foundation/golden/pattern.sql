-- sql/functions/series/pattern.sql
flatten(list_transform(
    case when len(series) > 2000 then
        error('tanon.pattern: series must be at most 2000 readings, as n readings have '
            || 'n (n - 1) / 2 differences, got ' || len(series))
    else series::double[] end,
    lambda earlier, i: list_transform(series[i + 1:], lambda later: later::double - earlier)
))
