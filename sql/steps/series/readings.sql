-- The readings of a series as one list, whether they stand in one column or in several.
-- Yields: readings
-- Takes: series

piece readings
    {if len(tanon._list(series)) = 1}
        tanon._exact({function}, typeof({series}), tanon._readings({series}))
    {else}
        [{for c in tanon._list(series) joined by ', '}
            tanon._exact({function}, typeof({c:name}), [{c:name}::double])[1]{end}]
    {end}
end
