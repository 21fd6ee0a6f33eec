-- The groups that break k-anonymity; no rows means that the table is k-anonymous.
--
-- Arguments:
--   source  relation         the table, the view or the query in parentheses
--   uid     column not null  whom a row is about: the respondent
--   qi      columns          the quasi-identifiers
--   k       integer > 1      how many distinct respondents must share a value
-- Result:
--   {qi}       as in source  the value that too few share
--   frequency  BIGINT        distinct respondents with this value
--   tuples     BIGINT        rows with this value
-- Example:
--   from tanon.k_anonymity_violations('visits', uid := 'patient', qi := ['zip', 'sex'], k := 5)
--   order by all

with tanon_frequencies as (
{% include "fragments/frequency_set.sql" %}
)
from tanon_frequencies
where frequency < {k}
