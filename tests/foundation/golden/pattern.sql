-- sql/functions/series/pattern.sql
flatten(list_transform(
    case when len(([3, 5, 4])) > 2000 then
        error('tanon.pattern: series must be at most 2000 readings, as n readings have '
            || 'n (n - 1) / 2 differences, got ' || len(([3, 5, 4])))
    else ([3, 5, 4])::double[] end,
    lambda earlier, i: list_transform(([3, 5, 4])[i + 1:], lambda later: later::double - earlier)
))
