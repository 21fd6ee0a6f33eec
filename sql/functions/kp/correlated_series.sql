-- The rows of a release whose pattern satisfies conditions on correlation functions.
--
-- A correlation function is any SQL expression over series, the normalized series (mean 0,
-- deviation 1) that a published word stands for, with positions counted from 1; for example
-- 'series[8] - series[1] between 0.5 and 2' or 'list_max(series[5:8]) = list_max(series)'.
-- All conditions must hold. A row whose letter at an asked position is withheld does not match:
-- fill it in with tanon.estimate_withheld_words.
--
-- Cost: each distinct word is looked at once.
--
-- Arguments:
--   release     relation(low DOUBLE[], high DOUBLE[], word VARCHAR, level INTEGER)  the release
--   predicates  expressions  SQL conditions over series
-- Result:
--   release.*    as in release  the row
--   reconstructed  DOUBLE[]         the series that its word stands for
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
