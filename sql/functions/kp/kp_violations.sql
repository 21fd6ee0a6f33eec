-- The groups of a release that break (k,P)-anonymity; no rows means that it is (k,P)-anonymous.
--
-- Looks only at what is published, as a reader does: rows with the same ranges are one k-group,
-- rows of it with the same word at the same level are one P-group, whatever they are numbered.
-- Each envelope needs k rows, each word in it P rows. A withheld range or letter counts as a value.
--
-- Cost: two hash aggregations of the release.
--
-- Arguments:
--   published  relation(low DOUBLE[], high DOUBLE[], pr VARCHAR, level INTEGER)  the release
--   k          integer > 1   how many rows must share their ranges
--   p          integer >= 1  how many of them must share their word
-- Result:
--   low      DOUBLE[]  the ranges of the group: lower ends
--   high     DOUBLE[]  upper ends
--   pr       VARCHAR   the word of the group; NULL where the ranges alone fail
--   level    INTEGER   its level
--   rows     BIGINT    how many rows the group has
--   problem  VARCHAR   what is wrong
-- Example:
--   from tanon.kp_violations('published_incomes', k := 13, p := 7) order by all limit 5

with tanon_words as materialized (
    select low, high, pr, level, count(*) as rows from {published} group by low, high, pr, level
),
{% include "fragments/kp_failing.sql" %}
from tanon_failing
