-- Returns problems with identifiers of respondents in a source before a release.
--
-- No rows means that the function found no problem.
--
--   'identifier in a text'  a column of keep contains identifiers of respondents.
--   'identifiers alike'     identifiers differ only by case, blanks around them or leading zeros.
--                           One respondent may count as several, and k is then too large.
--   'empty identifier'      an identifier is empty or blank. Several respondents may count as one.
--
-- A text contains an identifier if it has the identifier as a whole word, in any case. A word is a
-- run of letters and digits. For example, p-0012 has two words. The function does not find
-- identifiers with fewer than four letters and digits, other spellings, or names.
--
-- Cost: one aggregation by respondent and one by each column of keep, and the words of its texts.
--
-- Arguments:
--   source  relation                       the table, the view or the query in parentheses
--   respondent   column not null as respondent  the respondent of the row
--   keep    columns or none as keep = []   the columns to release unchanged
-- Checks:
--   keep  not tanon._share_a_name(keep, respondent)  columns other than respondent
-- Result:
--   warning      VARCHAR  the name of the warning
--   affects      VARCHAR  the column
--   respondents  BIGINT   the number of respondents concerned
--   share        DOUBLE   their share of all respondents
--   advice       VARCHAR  the meaning and the remedy
-- For: the owner
-- Example:
--   from tanon.identifier_warnings('visits', respondent := 'patient', keep := ['diagnosis'])

use kept_identifiers = identifiers_of_rows()

select warning, affects, respondents, share, advice
from {warned_of_identifiers}
order by tanon_place asc nulls last, affects asc nulls last
