-- Returns the rows of a release whose word has a shape similar to a given series.
--
-- The distance is one minus the correlation of the series and of the normalized series of the word.
-- It is 0 for the same shape, 1 for no relation and 2 for the opposite. A row at level 1 shows no
-- shape and has the distance 1. For conditions on parts of the shape use tanon.correlated_series.
--
-- Cost: one evaluation for each distinct word.
--
-- Arguments:
--   release    relation(low DOUBLE[], high DOUBLE[], word VARCHAR, level INTEGER)  the release
--   series     numbers           the series to compare with, in its own unit
--   tolerance  number in [0, 2]  the largest distance
-- Result:
--   release.*  as in release  the row
--   distance     DOUBLE           the distance between the word and the series
-- For: anybody
-- Example:
--   from tanon.similar_series(
--       'published_incomes', series := [40, 42, 41, 45, 50, 56, 57, 60], tolerance := 0.2
--   ) order by distance, charity limit 8

let wanted = series

step words_to_compare
    select * rename ("series" as tanon_values) from {rebuilt_words}
end

select p.*, greatest(d.distance, 0) as distance
from {release} as p join {word_distances} as d on p.word = tanon_pr and p.level = tanon_level
where d.distance <= {tolerance} + 1e-12
