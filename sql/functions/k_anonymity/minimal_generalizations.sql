-- Every least way to generalize attributes and time that makes a table k-anonymous.
--
-- All rows of an attribute go to one level of its hierarchy (full-domain generalization), time to
-- one of the granularities offered. Listed are the acceptable choices below which none is
-- acceptable; there can be many, and gen_m, gen_s, discernibility help to choose. Level 0 is the
-- value itself; an attribute without a hierarchy stays there. NULL stays NULL unless its hierarchy
-- has a row for it. The hierarchies are checked: levels 1, 2, 3 and so on, each value generalized
-- once on each, levels nested. Discernibility sums the squared rows of the groups that stay and
-- counts the whole table for each row left out. Apply a choice by joining the hierarchy, and check
-- the result with tanon.k_anonymity_violations.
--
-- Cost: one pass over the rows for each attribute, one roll-up to the finest levels that survive
-- alone, and from there one hash aggregation over (choices x groups). Respondents with many rows
-- are kept apart from those with one, and cost more. Where a million rows are nearly all different
-- and no level fails alone, this is slower than one plain query for each choice.
--
-- Arguments:
--   source           relation                      the table, the view or the query in parentheses
--   uid              column not null               whom a row is about: the respondent
--   qi               columns                       the quasi-identifiers beside time
--   k                integer > 1                   how many respondents must share a value
--   hierarchies      hierarchies                   attribute, level, value, generalized: what each
--                                                  value becomes on each level
--   ts               column(time) not null = NULL  when it happened
--   granularities    granularities = NULL          in what ts may be expressed
--   max_suppression  number in [0, 1) = 0          the share of rows that may be left out
--   calendar         calendar = NULL               granularities of your own
--   tz               text = NULL                   whose clock decides
-- Checks:
--   granularities  (granularities is null) = (ts is null)  given where ts is, and only there
--   ts             not list_contains(tanon._list(qi), ts)  a column that is not among qi
--   uid            not list_contains(tanon._list(qi), uid)  a column that is not among qi
-- Result:
--   {qi}              INTEGER  the level of this attribute
--   {ts}              VARCHAR  (with ts) the granularity
--   gen_m             BIGINT   the smallest frequency of the groups that stay
--   gen_s             BIGINT   the sum of their frequencies
--   groups            BIGINT   distinct values of the quasi-identifiers
--   suppressed_share  DOUBLE   the share of rows in groups below k
--   discernibility    BIGINT   the penalty of large groups and of rows left out
-- Example:
--   from tanon.minimal_generalizations('visits', uid := 'patient', qi := ['sex', 'age'], k := 5,
--       hierarchies := '(select ''age'' as attribute, level, age::varchar as value,
--           (age // (5 * 2 ** level)::int)::varchar as generalized
--           from (select distinct age from visits), range(1, 5) as levels(level))',
--       ts := 'admitted', granularities := ['month', 'quarter', 'year'])
--   order by all

with
{% set offered = "granularities" %}
{if ts is not null}
{% include "fragments/time/feasible.sql" %}
{end}
{% include "fragments/hierarchies/dictionaries.sql" %}
{% include "fragments/hierarchies/coded.sql" %}
{% include "fragments/hierarchies/search.sql" %}
select
    {for q in tanon._list(qi) joined by ''}
    (n.{q:name} + (select tanon_low from {q:face}))::integer as {q:name},
    {end}
    {if ts is not null}tanon_name as {ts},{end}
    tanon_m as gen_m, tanon_s as gen_s, tanon_groups as groups,
    tanon_suppressed / greatest(tanon_rows_of_all, 1) as suppressed_share,
    (tanon_squares + tanon_suppressed * tanon_rows_of_all)::bigint as discernibility
from tanon_minimal_nodes as n join tanon_times using (tanon_place)
