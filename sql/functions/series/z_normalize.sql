-- Returns a series with mean 0 and sample standard deviation 1.
--
-- The function subtracts the mean and divides by the deviation. A constant series becomes all 0.
--
-- Arguments:
--   series  value  readings in the order of time, a list of numbers
-- Returns: DOUBLE[]
-- For: anybody
-- Example:
--   select tanon.z_normalize([1, 2, 3]) as series

tanon._answer(tanon_z_normalize(tanon._series('tanon.z_normalize', series)))
