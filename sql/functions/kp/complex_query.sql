-- How many series of a release have a given pattern and values in given ranges: an estimate.
--
-- Patterns are asked as in tanon.pattern_range_query (predicates), as in
-- tanon.pattern_similarity_query (series and tolerance), or both; values as in tanon.range_count.
-- Values and patterns of a row are taken as independent of each other.
--
-- Cost: each distinct word and each distinct envelope is looked at once.
--
-- Arguments:
--   published   relation(low DOUBLE[], high DOUBLE[], pr VARCHAR, level INTEGER)  the release
--   ranges      ranges                   the ranges asked for
--   predicates  expressions = NULL       SQL conditions over series, the normalized series
--   pattern     numbers = NULL           the series to compare with
--   tolerance   number in [0, 2] = NULL  the largest distance from it
-- Checks:
--   pattern    predicates is not null or pattern is not null  a series, as there are no predicates
--   tolerance  (pattern is null) = (tolerance is null)        given together with pattern
-- Result:
--   estimate        DOUBLE  the expected number of series
--   standard_error  DOUBLE  its standard error
--   at_least        BIGINT  series that certainly satisfy the ranges, of those with the pattern
--   at_most         BIGINT  series that may satisfy the ranges, of those with the pattern
-- For: anybody
-- Example:
--   from tanon.complex_query(
--       'published_incomes', [{'position': 8, 'low': 60, 'high': 90}],
--       pattern := [40, 42, 41, 45, 50, 56, 57, 60], tolerance := 0.2
--   )

{% set release = '{published}' %}
with {% include "fragments/release_fits.sql" %},
tanon_rebuilt as (
    select pr, level, tanon._rebuilt(pr, level) as series
    from (select distinct pr, level from {published})
    where (select fits from tanon_fits)
),
tanon_words as (
    select pr, level, series as values
    from tanon_rebuilt
    where {if predicates is not null} {predicates} {else} true {end}
),
{if pattern is not null}
{% set wanted = '{pattern}' %}
{% include "fragments/similar_words.sql" %},
tanon_chosen as (
    select tanon_pr, tanon_level from tanon_distances where distance <= {tolerance} + 1e-12
),
{else}
tanon_chosen as (select pr as tanon_pr, level as tanon_level from tanon_words),
{end}
tanon_release as (
    select p.*
    from {published} as p semi join tanon_chosen on p.pr = tanon_pr and p.level = tanon_level
),
{% include "fragments/chances.sql" %}
