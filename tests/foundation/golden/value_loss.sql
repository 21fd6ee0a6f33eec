-- sql/functions/series/value_loss.sql
-- tanon._is_whole: sql/private/series.sql
-- tanon._root_mean_square: sql/private/series.sql
case when len(([1, 2])) <> len(([4, 6])) then
    error('tanon.value_loss: high must be as long as low, ' || len(([1, 2])) || ', got ' || len(([4, 6])))
when len(list_filter(([1, 2]), lambda l, i: isinf(([4, 6])[i]::double - l::double)
    and isfinite(([4, 6])[i]::double) and isfinite(l::double))) > 0
    then 2 * tanon._root_mean_square(
        list_transform(([1, 2]), lambda l, i: ([4, 6])[i]::double / 2 - l::double / 2))
else tanon._root_mean_square(list_transform(([1, 2]), lambda l, i: case
    when tanon._is_whole(l) and tanon._is_whole(([4, 6])[i])
        then (([4, 6])[i]::hugeint - l::hugeint)::double
    else ([4, 6])[i]::double - l::double end)) end
