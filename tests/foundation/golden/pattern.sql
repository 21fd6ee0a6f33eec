-- sql/functions/series/pattern.sql
flatten(list_transform(series::double[], lambda earlier, i:
    list_transform(series[i + 1:], lambda later: later::double - earlier)))
