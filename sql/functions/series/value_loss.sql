-- How wide an envelope is: the root mean square of its ranges.
--
-- 0 means that the readings themselves are published. Averaged over the rows of a release it is
-- the value loss of the release. Differences of whole numbers are exact.
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
else tanon._root_mean_square(list_transform(low, lambda l, i: case
    when tanon._is_whole(l) and tanon._is_whole(high[i])
        then (high[i]::hugeint - l::hugeint)::double
    else high[i]::double - l::double end)) end
