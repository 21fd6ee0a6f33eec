-- The groups that break k-anonymity; no rows means that the table is k-anonymous.
--
-- For the owner: this is a list of people who are nearly alone.
--
-- Arguments:
--   source       relation                      the table, the view or the query in parentheses
--   respondent   column not null as respondent  whom a row is about: the respondent
--   qi           columns as quasi-identifier  the quasi-identifiers
--   k            integer > 1                   how many distinct respondents must share a value
--   uses time
-- Checks:
--   respondent   not tanon._share_a_name(respondent, qi)  a column that is not among qi
-- Result:
--   {qi}       as in source  the value that too few share
--   {ts}       VARCHAR       (with ts) the label of the granule
--   frequency  BIGINT        distinct respondents with this value
--   tuples     BIGINT        rows with this value
-- For: the owner
-- Holds: no rows, frequency >= k
-- Example:
--   from tanon.k_anonymity_violations('visits', respondent := 'patient', qi := ['sex'], k := 5,
--       ts := 'admitted', granularity := 'week')
--   order by all

let granularities = granularity

from {labelled_frequencies}
where frequency < {k}
