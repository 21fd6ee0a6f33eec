-- Returns the groups that have fewer than k respondents.
--
-- No rows means that the table is k-anonymous. The result is for the owner, because it lists the
-- respondents who are easiest to identify.
--
-- Arguments:
--   source       relation                      the table, the view or the query in parentheses
--   respondent   column not null as respondent  the respondent of the row
--   qi           columns as quasi-identifier  the quasi-identifiers
--   k            integer > 1                   the fewest respondents that a group may have
--   uses time
-- Checks:
--   respondent   not tanon._share_a_name(respondent, qi)  a column that is not among qi
-- Result:
--   {qi}       as in source  the quasi-identifiers of the group
--   {ts}       VARCHAR       (with ts) the label of the granule
--   frequency  BIGINT        the number of distinct respondents
--   tuples     BIGINT        the number of rows
-- For: the owner
-- Holds: no rows, frequency >= k
-- Example:
--   from tanon.k_anonymity_violations('visits', respondent := 'patient', qi := ['sex'], k := 5,
--       ts := 'admitted', granularity := 'week')
--   order by all

let granularities = granularity

from {labelled_frequencies}
where frequency < {k}
