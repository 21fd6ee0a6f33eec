-- What is wrong with identifiers of respondents before a release; no rows: nothing found.
--
--   identifier in a text  a column of keep holds identifiers of respondents
--   identifiers alike     identifiers are equal but for case, blanks around them and leading zeros:
--                         one person may count as several, and k is then too large
--   empty identifier      it is empty or blank: rows of several persons may count as one person's
--
-- A text holds an identifier as a whole word, in any case, whichever row it stands in. A word is a
-- run of letters and digits; p-0012 is two of them, one behind the other. Not looked for are
-- identifiers of fewer than four letters and digits, other spellings of an identifier, names and
-- any other identifiers.
--
-- Cost: a grouping by respondent and one by each column of keep, and the words of its texts.
--
-- Arguments:
--   source  relation                       the table, the view or the query in parentheses
--   respondent   column not null as respondent  whom a row is about
--   keep    columns or none as keep = []   the columns that are to leave as they are
-- Checks:
--   keep  not tanon._share_a_name(keep, respondent)  columns other than respondent
-- Result:
--   warning      VARCHAR  what was found
--   affects      VARCHAR  the column
--   respondents  BIGINT   whom it concerns
--   share        DOUBLE   their share of all respondents
--   advice       VARCHAR  what it means
-- For: the owner
-- Example:
--   from tanon.identifier_warnings('visits', respondent := 'patient', keep := ['diagnosis'])

use kept_identifiers = identifiers_of_rows()

select warning, affects, respondents, share, advice
from {warned_of_identifiers}
order by tanon_place asc nulls last, affects asc nulls last
