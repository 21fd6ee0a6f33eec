-- What an owner should know before a k-anonymous release; no rows: nothing found.
--
-- Of the same call as tanon.publish_k_anonymous. k-anonymity hides whose a row is from somebody who
-- knows the quasi-identifiers and the time of one row. Warned of is what others see; respondents
-- are counted, never rows:
--
--   identifier in a text  a kept column holds identifiers of respondents, as in
--                   tanon.identifier_warnings
--   not acceptable  no offered granularity will do, where time alone is made coarser:
--                   tanon.publish_k_anonymous refuses
--   singles out     a kept column, known beside quasi-identifiers and time, leaves one respondent
--   together        all kept columns together single out more than any of them
--   one value       a kept column has one value in a group: who finds the group knows it
--   no limits       a kept column is sensitive, and no limits look at it
--   further time    a kept column is a time, and leaves as it is
--   nested          a kept column holds several values in one
--   several rows    respondents are in several groups of the release, and may be found by these
--   nobody left     respondents of whom no row is in the release
--   identifiers alike, empty identifier  one person may count as several, or several as one
--
-- What columns that stay home would give away is told by tanon.unprotected_columns.
--
-- Cost: that of tanon.k_anonymity_attack.
--
-- Arguments:
{% include "arguments/release.sql" %}
-- Result:
--   warning      VARCHAR  what was found
--   affects      VARCHAR  the column, NULL where it is about all of them
--   respondents  BIGINT   whom it concerns
--   share        DOUBLE   their share of the respondents in the release; of the rows left out; of
--       all respondents for nobody left
--   advice       VARCHAR  what it means
-- For: the owner
-- Shards: not offered: its search asks again and again, some thousand times
-- Example:
--   from tanon.k_anonymity_warnings('visits', uid := 'patient', qi := ['sex'], ts := 'admitted',
--       granularities := ['week', 'month', 'quarter'], k := 5, keep := ['diagnosis', 'zip'],
--       accept := ['zip'])

use measured = all_measured(sizes = sizes_offered)
use kept_identifiers = identifiers_of_rows()

select warning, affects, respondents, share, advice
from {warned}
order by tanon_place asc nulls last, affects asc nulls last, warning asc nulls last
