-- Returns the rows of a release whose word satisfies conditions on the shape of the series.
--
-- A condition is a SQL expression over series. This is the normalized series of the word, with mean
-- 0 and deviation 1, and positions from 1. Examples are 'series[8] - series[1] between 0.5 and 2'
-- and 'list_max(series[5:8]) = list_max(series)'. A row must satisfy all conditions. To compare
-- with a given series, use tanon.similar_series.
--
-- A row with a withheld letter at a position of a condition does not match.
-- tanon.estimate_withheld_words estimates withheld letters.
--
-- Cost: one evaluation for each distinct word.
--
-- Arguments:
--   release     relation(low DOUBLE[], high DOUBLE[], word VARCHAR, level INTEGER)  the release
--   predicates  expressions  SQL conditions over series
-- Result:
--   release.*    as in release  the row
--   reconstructed  DOUBLE[]         the normalized series of the word
-- For: anybody
-- Example:
--   from tanon.correlated_series('published_incomes', ['series[8] - series[1] > 1.5'])
--   order by charity

step chosen_words
    select word as tanon_pr, level as tanon_level, series as reconstructed
    from {rebuilt_words}
    where {predicates}
end

select p.*, c.reconstructed
from {release} as p join {chosen_words} as c on p.word = tanon_pr and p.level = tanon_level
