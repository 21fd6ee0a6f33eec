-- How many distinct respondents share each value of the quasi-identifiers.
--
-- A respondent who appears a hundred times with the same value counts once: people, not rows.
-- NULL in a quasi-identifier is a value like any other.
--
-- Cost: one hash aggregation with count(distinct); DuckDB spills what does not fit in memory.
--
-- Arguments:
--   source  relation         the table, the view or the query in parentheses
--   uid     column not null  whom a row is about: the respondent
--   qi      columns          the quasi-identifiers
-- Result:
--   {qi}       as in source  the value
--   frequency  BIGINT        distinct respondents with this value
--   tuples     BIGINT        rows with this value
-- Example:
--   from tanon.frequency_set('visits', uid := 'patient', qi := ['zip', 'sex'])
--   order by all

{% include "fragments/frequency_set.sql" %}
