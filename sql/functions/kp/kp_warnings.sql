-- What a data owner should know before a (k,P)-anonymous release goes out; no rows: nothing found.
--
-- (k,P)-anonymity hides which row is whose. It says nothing of what the rows that may be somebody's
-- have in common. Warned of, for each sensitive column where it applies:
--
--   repeated value     a value is too frequent in its P-group: more than 1 in P guesses are right
--   narrow values      the values of a P-group lie within a twentieth of the whole range
--   follows series     values correlate with the last range: whoever knows the last reading picks
--                      the nearest value. With source, id and series (published with for_owner) the
--                      share of series that this finds; 1/P is what was promised
--   P is 2             whoever is in a P-group of two knows the other's value; take 3 or more
--   k beyond P         ranges are shared by more rows than words are: readings give the word away,
--                      so that only P protects the sensitive value
--   exact readings     a range of width 0 publishes a reading
--   poor words         words of level 1 say nothing, those of level 2 little
--
-- P and k are taken from the release: the smallest group of each kind.
--
-- Cost: a few hash aggregations; with source, each P-group is joined with itself.
--
-- Arguments:
--   published  relation(low DOUBLE[], high DOUBLE[], pr VARCHAR, level INTEGER)  the release
--   sensitive  columns of published             the sensitive columns
--   source     relation = NULL                  the original series, for the attack
--   id         column of source and published = NULL  names a series in both
--   series     columns(list, number) = NULL     a list column, or one column for each reading
-- Checks:
--   source  (source is null) = (id is null) and (id is null) = (series is null)  given
--       together with id and series
-- Result:
--   warning  VARCHAR  what was found
--   affects  VARCHAR  the sensitive column, NULL where it is about all of them
--   rows     BIGINT   published rows concerned
--   share    DOUBLE   their share of the release, or the share of guesses that are right
--   advice   VARCHAR  what it means
-- For: the owner
-- Example:
--   from tanon.kp_warnings('published_incomes', sensitive := 'charity')

with
{% include "fragments/kp_evidence.sql" %}
select * from tanon_about_secrets
union all
select * from tanon_about_groups
{if source is not null} union all select * from tanon_about_attack {end}
order by all
