-- The readings of a series as one list, whether they stand in one column or in several.
-- Yields: readings
-- Takes: series

piece readings
    {if len(tanon._list(series)) = 1} tanon._readings({series}) {else} [{series}]::double[] {end}
end
