-- The rows of a release whose pattern is similar to that of a given series.
--
-- The distance is the cosine distance of the vectors of all pairwise differences, which equals
-- one minus the correlation: 0 is the same pattern, 1 none, 2 the opposite. A published word stands
-- for many series: rows at level 1 show no pattern and are at distance 1 from every other series.
--
-- Cost: each distinct word is looked at once.
--
-- Arguments:
--   release    relation(low DOUBLE[], high DOUBLE[], word VARCHAR, level INTEGER)  the release
--   series     numbers           the series to compare with, in its own units
--   tolerance  number in [0, 2]  the largest distance
-- Result:
--   release.*  as in release  the row
--   distance     DOUBLE           how far its pattern is from that of the series
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
