-- The rows of a release whose pattern satisfies conditions on correlation functions.
--
-- A correlation function is any SQL expression over series, the normalized series (mean 0,
-- deviation 1) that a published word stands for, with positions counted from 1; for example
-- 'series[8] - series[1] between 0.5 and 2' or 'list_max(series[5:8]) = list_max(series)'.
-- All conditions must hold. A row whose letter at an asked position is withheld does not match:
-- fill it in with tanon.estimate_patterns.
--
-- Cost: each distinct word is looked at once.
--
-- Arguments:
--   published   relation(low DOUBLE[], high DOUBLE[], pr VARCHAR, level INTEGER)  the release
--   predicates  expressions  SQL conditions over series
-- Result:
--   published.*    as in published  the row
--   reconstructed  DOUBLE[]         the series that its word stands for
-- For: anybody
-- Example:
--   from tanon.pattern_range_query('published_incomes', ['series[8] - series[1] > 1.5'])
--   order by charity

{% set release = '{published}' %}
with {% include "fragments/release_fits.sql" %},
tanon_words as (
    select pr, level, tanon._rebuilt(pr, level) as series
    from (select distinct pr, level from {published})
    where (select fits from tanon_fits)
),
tanon_chosen as (
    select pr as tanon_pr, level as tanon_level, series as reconstructed
    from tanon_words
    where {predicates}
)
select p.*, tanon_chosen.reconstructed
from {published} as p join tanon_chosen on p.pr = tanon_pr and p.level = tanon_level
