-- sql/functions/series/value_loss.sql
case when len(low) <> len(high) then
    error('tanon.value_loss: high must be as long as low, ' || len(low) || ', got ' || len(high))
else tanon._root_mean_square(list_transform(low, lambda l, i: case
    when tanon._is_whole(l) and tanon._is_whole(high[i])
        then (high[i]::hugeint - l::hugeint)::double
    else high[i]::double - l::double end)) end
