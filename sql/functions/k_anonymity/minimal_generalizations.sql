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
-- Cost: one pass over the rows for each attribute and one to find respondents with several rows;
-- then what decides is how many choices are looked at. All rows of the rarest values rule most of
-- them out for next to nothing, and what is left is grouped like a plain query: each choice listed,
-- and those just below that come close. With max_suppression of 0.015 or more nothing is ruled out
-- beforehand, and some tens of groupings are made on one thread. Equal rows are counted once
-- where many are equal. Respondents with many rows are kept apart from the others, and cost more.
-- Memory: the rows as four numbers and the groups of one choice, of at most 16 at a time.
--
-- Arguments:
--   source           relation                      the table, the view or the query in parentheses
--   uid              column not null as respondent  whom a row is about: the respondent
--   qi               columns as quasi-identifier  the quasi-identifiers beside time
--   k                integer > 1                   how many respondents must share a value
--   hierarchies      hierarchies as generalized quasi-identifier  attribute, level, value,
--       generalized: what each
--                                                  value becomes on each level
--   ts               column(time) not null as time = NULL  when it happened
--   granularities    granularities as generalized time = NULL  in what ts may be expressed
--   max_suppression  number in [0, 1) = 0          the share of rows that may be left out
--   calendar         calendar = NULL               granularities of your own
--   tz               text = NULL                   whose clock decides
-- Checks:
--   granularities  (granularities is null) = (ts is null)  given where ts is, and only there
--   ts             not tanon._share_a_name(ts, qi)  a column that is not among qi
--   uid            not tanon._share_a_name(uid, qi)  a column that is not among qi
-- Result:
--   {qi}              INTEGER  the level of this attribute
--   {ts}              VARCHAR  (with ts) the granularity
--   gen_m             BIGINT   the smallest frequency of the groups that stay
--   gen_s             BIGINT   the sum of their frequencies
--   groups            BIGINT   distinct values of the quasi-identifiers
--   suppressed_share  DOUBLE   the share of rows in groups below k
--   discernibility    BIGINT   the penalty of large groups and of rows left out
-- For: the owner
-- Example:
--   from tanon.minimal_generalizations('visits', uid := 'patient', qi := ['sex', 'age'], k := 5,
--       hierarchies := '(select ''age'' as attribute, level, age::varchar as value,
--           (age // (5 * 2 ** level)::int)::varchar as generalized
--           from (select distinct age from visits), range(1, 5) as levels(level))',
--       ts := 'admitted', granularities := ['month', 'quarter', 'year'])
--   order by all

select
    {for q in tanon._list(qi) joined by ''}{q:name}::integer as {q:name}, {end}
    {if ts is not null}tanon_name as {ts},{end}
    tanon_m as gen_m, coalesce(tanon_s, 0) as gen_s, coalesce(tanon_groups, 0) as groups,
    coalesce(tanon_suppressed / tanon_rows_of_all, 0) as suppressed_share,
    coalesce(tanon_squares + tanon_suppressed * tanon_rows_of_all, 0)::bigint as discernibility
from {minimal_nodes} join {lattice} using (tanon_node) join {times} using (tanon_place),
    {row_count}
