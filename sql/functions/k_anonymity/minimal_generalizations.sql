-- Every least way to generalize attributes and time that makes a table k-anonymous.
--
-- All rows of an attribute go to one level of its hierarchy (full-domain generalization), time to
-- one of the granularities offered. Listed are the acceptable choices below which none is
-- acceptable; there can be many, and gen_m, gen_s, discernibility help to choose. Level 0 is the
-- value itself; an attribute without a hierarchy stays there. NULL stays NULL unless its hierarchy
-- has a row for it. The hierarchies are checked: levels 1, 2, 3 and so on, each value generalized
-- once on each, levels nested. Discernibility sums the squared rows of the groups that stay and
-- counts the whole table for each row left out. Entropy is the bits by which a row is less certain
-- once it is generalized: over its attributes and its time (in days, or in what is offered that is
-- shorter), log2 of one over the share of its own value among the rows it now looks like.
-- tanon.publish_k_anonymous with the same arguments applies the preferred choice.
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
--   levels           levels = NULL                 levels that are fixed, as {'zip': 2}
--   prefer           preference = NULL             which choice is preferred: 'least', 'gen_s',
--       'discernibility', 'entropy', or 'entropy' with weights, as {'zip': 2}
-- Checks:
--   granularities  (granularities is null) = (ts is null)  given where ts is, and only there
--   ts             not tanon._share_a_name(ts, qi)  a column that is not among qi
--   uid            not tanon._share_a_name(uid, qi)  a column that is not among qi
--   levels         tanon._has_names(qi, tanon._names_by_number(levels))  levels of columns of qi
--   prefer         tanon._has_names(tanon._roles(qi, ts), tanon._names_by_number(prefer))  one of
--       'least', 'gen_s', 'discernibility', 'entropy', or weights of columns of qi and of ts
-- Result:
--   {qi}              INTEGER  the level of this attribute
--   {ts}              VARCHAR  (with ts) the granularity
--   gen_m             BIGINT   the smallest frequency of the groups that stay
--   gen_s             BIGINT   the sum of their frequencies
--   groups            BIGINT   distinct values of the quasi-identifiers
--   suppressed_share  DOUBLE   the share of rows in groups below k
--   discernibility    BIGINT   the penalty of large groups and of rows left out
--   entropy           DOUBLE   bits that a row loses, on average; all it has if it is left out
--   preferred         BOOLEAN  whether tanon.publish_k_anonymous would take it
-- For: the owner
-- Example:
--   from tanon.minimal_generalizations('visits', uid := 'patient', qi := ['sex', 'age'], k := 5,
--       hierarchies := '(select ''age'' as attribute, level, age::varchar as value,
--           (age // (5 * 2 ** level)::int)::varchar as generalized
--           from (select distinct age from visits), range(1, 5) as levels(level))',
--       ts := 'admitted', granularities := ['month', 'quarter', 'year'])
--   order by all

select
    {for q in tanon._list(qi) joined by ''}{q:name}, {end}
    {if ts is not null}tanon_name as {ts},{end}
    tanon_m as gen_m, tanon_s as gen_s, tanon_groups as groups, tanon_share as suppressed_share,
    tanon_discernibility as discernibility, tanon_bits as entropy, tanon_is_preferred as preferred
from {preferred_nodes}
