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
--   select tanon.value_loss([1, 2], [4, 6]) as loss

case when len(low) <> len(high) then
    error('tanon.value_loss: high must be as long as low, ' || len(low) || ', got ' || len(high))
when len(list_filter(low, lambda l, i: isinf(high[i]::double - l::double)
    and isfinite(high[i]::double) and isfinite(l::double))) > 0
    -- Half the range of a list that is wider than a DOUBLE goes.
    then 2 * tanon._root_mean_square(
        list_transform(low, lambda l, i: high[i]::double / 2 - l::double / 2))
else tanon._root_mean_square(list_transform(low, lambda l, i: case
    when tanon._is_whole(l) and tanon._is_whole(high[i])
        then (high[i]::hugeint - l::hugeint)::double
    else high[i]::double - l::double end)) end
