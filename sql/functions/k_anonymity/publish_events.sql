-- Returns a k-anonymous release of events, with qi, ts and keep.
--
-- Each group of the release has at least k respondents. A group has the same values of qi and the
-- same granule of ts. Columns of keep are unchanged. All other columns are absent. Rows are sorted,
-- so their order reveals nothing about the source.
--
-- Use tanon.publish_stream for a source that grows by one snapshot after another. Use
-- tanon.publish_table_pair to release exact quasi-identifiers, and tanon.publish_series for series.
-- tanon.tune_events compares settings before a release.
--
-- Other values of result return facts about the same release, for the owner only:
--
--   'summary'     the chosen granularity and levels, and counts of the release.
--   'suppressed'  each group with suppressed rows, the reason, and the finest granularity that
--                 would keep the group. It reveals the small groups that the release hides.
--   'warnings'    risks that remain in the release. No rows means that tanon found none.
--   'attacks'     the success of simulated adversaries.
--   'columns'     the risk of every column other than qi and ts, as if the release contained it.
--
-- Choice of levels:
--
-- A choice is a granularity and, with hierarchies, a level for each attribute. Level 0 is the value
-- itself. A choice is acceptable if groups below k have at most max_suppression of the rows. It is
-- minimal if it is acceptable and no finer choice is acceptable. The function releases the minimal
-- choice with the least loss by entropy, as tanon.minimal_generalizations measures it. Ties go to
-- lower levels in the order of qi, then to the shorter granularity, then to the alphabet.
--
-- choose_by changes the rule:
--
--   'least'  the minimal choice with the smallest gen_m, then the largest gen_s.
--   'gen_s'  the minimal choice with the largest gen_s.
--   'entropy', weights, 'discernibility'  the acceptable choice with the smallest loss. If rows may
--            be suppressed, it can be coarser than a minimal choice. With suppression := 'cells' it
--            is a minimal choice.
--
-- Generalized attributes are text. An attribute that levels fixes at 0 has its original type. NULL
-- stays NULL unless its hierarchy has a row for NULL. Hierarchies must write a time with zone in
-- UTC, as '2024-01-31 20:00:00+00'.
--
-- Suppression:
--
-- By default the function suppresses rows in groups below k. With suppression := 'cells' it
-- replaces some of their attributes by *, so that k respondents share the rest. It suppresses as
-- few attributes as it can find. It suppresses a row if this does not help.
--
-- remainder := true adds one row for each period that stands for its suppressed rows. It has * for
-- each attribute, NULL for keep, and the number of rows in stands_for. Periods with fewer than k
-- suppressed respondents are combined under *, or are absent.
--
-- Limits and population:
--
-- With limits, the function also suppresses groups that violate the limits of
-- tanon.diversity_metrics. A respondent counts once for each value. All suppressed groups of at
-- least k, taken together, must be within the limits too. Otherwise an adversary could conclude
-- from their absence that they violate the limits.
--
-- With presence, each group must have at least k_map respondents in the population. At most the
-- share delta_high of the group may be in source. The function suppresses other groups. With
-- delta_low, source must contain at least this share of every group of the population, and nothing
-- may be suppressed. The population needs the columns qi and ts of source. The function compares
-- values by their text.
--
-- The function refuses:
--
--   A column of keep that identifies respondents, unless allow_identifying names it: a nested
--     column, another time, a text with an identifier of a respondent, or a column in which more
--     than max_singled_out of the respondents have a unique value.
--   A sensitive column of keep without limits, unless without_limits := true.
--   A call for which no offered choice is acceptable.
--   A release with a group below k. The function counts the release again before it returns rows.
--     Such a group can appear if equal values are spelled differently, as -0.0 and 0.0.
--
-- A text contains an identifier if it has the identifier as a whole word, in any case. The function
-- does not find identifiers with fewer than four letters and digits, other spellings, or names. The
-- checks of keep do not combine a column with qi and ts. The warning 'singles out' does.
--
-- The release does not protect against these:
--
--   Several releases  Two releases of the same respondents can be compared. Publish each period
--                     once. For a source that grows, use tanon.publish_stream.
--   Several rows      If rows of one respondent can be linked, they reveal more than one row. See
--                     the trail of tanon.risk_by_granularity.
--   Equal values      Without limits, all respondents of a group may have the same sensitive value.
--   Repeated values   Limits count pairs of respondent and value. A value that all respondents of a
--                     group have can be within limits if some have several values. Use one row for
--                     each respondent if possible.
--
-- for_owner := true adds respondent to the rows, for tanon.check_release. Do not release this copy.
--
-- The warnings count respondents:
--
--   'identifier in a text'  a column of keep contains identifiers, see tanon.identifier_warnings.
--   'not acceptable'        no offered granularity is acceptable, if only the time is generalized.
--   'singles out'           one respondent is unique by a column of keep with quasi-identifiers and
--                           time.
--   'together'              all columns of keep together single out more respondents than each
--                           column.
--   'one value'             all rows of a group have the same value in a column of keep.
--   'no limits'             a column of keep is sensitive and has no limits.
--   'further time'          a column of keep is an unchanged time.
--   'nested'                a column of keep contains several values in one.
--   'several rows'          respondents are in several groups of the release.
--   'nobody left'           the release contains no row of some respondents.
--   'identifiers alike', 'empty identifier'  one respondent may count as several, or several as
--                           one.
--
-- The attacks follow the Article 29 Working Party (WP216):
--
--   'singling out'  the adversary knows quasi-identifiers, time and all values of keep of a
--                   respondent. A hit is a respondent whom nobody else matches.
--   'linkability'   the adversary has one row of a respondent and picks another row that is equal
--                   in up to three columns. A hit is a row of the same respondent.
--   'inference'     the adversary knows quasi-identifiers and time and guesses the most frequent
--                   value of keep in the group. A hit is a right guess.
--
-- baseline is the success without the release. control is the success against the unchanged source.
-- An attack with a hit_rate near the baseline learned nothing from the release. If control is near
-- the baseline too, nothing could be learned. Adversaries who use more than three columns can be
-- right more often. For more than 100,000 rows the function tries fewer sets of columns.
--
-- In the columns result, a column singles out a respondent if quasi-identifiers, time and the value
-- match nobody else. guess_rate compares with usual_rate, the success of always guessing the most
-- frequent value of the release. If only the time is generalized and no granularity is acceptable,
-- warnings, attacks and columns describe the granularity that suppresses the fewest rows.
--
-- Cost: the cost of tanon.least_generalization or, with hierarchies, of
-- tanon.minimal_generalizations, then two aggregations and one join of the rows. 'suppressed' reads
-- the rows of small groups once more for each granularity. 'columns' aggregates all rows once for
-- each column, and 'attacks' once for each set of up to three columns.
--
-- Arguments:
--   uses release
--   for_owner        boolean = false        whether to add respondent, for the checks of the owner
--   result  one of 'release', 'summary', 'suppressed', 'warnings', 'attacks', 'columns' =
--       'release'  the release, or facts about the release as described above
-- Result:
--   {respondent}   as in source  (with for_owner) the respondent of the row
--   {qi}    as in source  the quasi-identifiers; VARCHAR if hierarchies generalize the column, or
--       instead of ENUM or JSON
--   {ts}    VARCHAR       (with ts) the label of the granule
--   {keep}  as in source  a column of keep; VARCHAR instead of ENUM or JSON; NULL in a row that
--       stands for suppressed rows
--   stands_for  BIGINT    (with remainder) 1, or the number of suppressed rows for which the row
--       stands
-- For: others
-- Promises: check_release(qi := $qi, ts := $ts, keep := $keep, k := $k, owner := $tanon_owner,
--     respondent := $respondent, records := case when $remainder then 'stands_for' end)
-- Warnings: identifier_warnings($source, respondent := $respondent, keep := $keep);
--     publish_events($tanon_owner, respondent := $respondent, k := $k, keep := $keep,
--     qi := list_concat(tanon._list($qi), tanon._list($ts)), result := 'warnings')
-- Result summary:
--   granularity     VARCHAR                the granularity of ts; NULL without ts
--   levels          MAP(VARCHAR, INTEGER)  the level of each attribute; 0 is the value itself
--   records         BIGINT                 the number of released rows
--   suppressed      BIGINT                 the number of suppressed rows
--   cells           BIGINT                 the number of suppressed attributes in released rows
--   respondents     BIGINT                 the number of distinct respondents in the release
--   groups          BIGINT                 the number of groups
--   gen_m           BIGINT                 the number of respondents in the smallest group
--   gen_s           BIGINT                 the sum of the numbers of respondents over all groups
--   discernibility  BIGINT                 the sum of the squared group sizes, and the number of
--       all rows for each suppressed row
--   entropy         DOUBLE                 the bits that a row loses on average, as in
--       tanon.minimal_generalizations; NULL if only the time is generalized, without choose_by
--   criteria  STRUCT(property VARCHAR, promise VARCHAR, found VARCHAR, holds BOOLEAN)[]  (with
--       limits or population) the limits for each group, and the figures of the worst group
-- For: the owner
-- Result suppressed:
--   {qi}       as in source  the quasi-identifiers of the group
--   {ts}       VARCHAR       (with ts) the label of the granule
--   frequency  BIGINT        the number of distinct respondents in the group
--   tuples     BIGINT        the number of suppressed rows
--   reason     VARCHAR       the reason for the suppression
--   cells      VARCHAR[]     (where suppression is 'cells') the suppressed attributes of rows in
--       the release; NULL if the rows are suppressed
--   kept_by    VARCHAR       (with ts, without limits and presence) the finest offered granularity
--       that would keep the group; NULL if none would
-- For: the owner
-- Result warnings:
--   warning      VARCHAR  the name of the warning
--   affects      VARCHAR  the column; NULL if the row is about all columns
--   respondents  BIGINT   the number of respondents concerned
--   share        DOUBLE   the share of the respondents in the release; for 'not acceptable' the
--       suppressed share of rows; for 'nobody left' the share of all respondents
--   advice       VARCHAR  the meaning and the remedy
-- For: the owner
-- Result attacks:
--   criterion  VARCHAR  singling out, linkability or inference
--   affects    VARCHAR  the column of inference, or the columns that link best
--   attack     VARCHAR  the knowledge and the action of the adversary
--   targets    BIGINT   the number of targets: respondents for singling out, otherwise rows
--   hits       DOUBLE   the average number of right guesses
--   hit_rate   DOUBLE   the share of right guesses
--   low        DOUBLE   the lower end of the 95 % interval of hit_rate
--   high       DOUBLE   the upper end
--   baseline   DOUBLE   the share of right guesses without the release
--   control    DOUBLE   the share of right guesses from the unchanged source
-- For: the owner
-- Result columns:
--   column_name         VARCHAR  the column
--   kept                BOOLEAN  whether the release contains the column
--   distinct_values     BIGINT   the number of different values in the release
--   singled_out         BIGINT   respondents who are unique in their group by this column
--   singled_out_share   DOUBLE   their share of the respondents in the release
--   in_groups_of_one_value        BIGINT  respondents in a group in which all have the same value
--   in_groups_of_one_value_share  DOUBLE  their share of the respondents in the release
--   guess_rate          DOUBLE   the share of rows with the most frequent value of their group
--   usual_rate          DOUBLE   the share of rows with the most frequent value of all rows
-- For: the owner
-- Example:
--   from tanon.publish_events('visits', respondent := 'patient', qi := ['sex'], ts := 'admitted',
--       granularities := ['week', 'month', 'quarter', 'year'], k := 5, keep := ['diagnosis'])
--   limit 5

use measured = walked()

step kept_rows not materialized
    select {respondent} as tanon_whose, * from {source}
end

use kept_people = people_of_rows()
use kept_identifiers = identifiers_of_rows()

step rows_for_others not materialized
    select {if for_owner}{respondent},{end} {qi} {,ts} {,keep}, 1::bigint as tanon_stands_for
    from {release}
    {if not for_owner}
    where not tanon_is_rest
    {if remainder}
    union all
    select
        {qi} {,ts} {for c in tanon._list(keep) joined by ''}, any_value({c:name}){end},
        count(*)
    from {release}
    where tanon_is_rest
    group by {qi} {,ts}
    {end}
    {end}
end

{if result = 'release'}
select tanon._without_labels(columns(* exclude (tanon_stands_for)))
    {if remainder}, tanon_stands_for as stands_for{end}
from {rows_for_others}
where {checked k_holds} and {checked limits_hold} and {checked left_out_is_within_limits}
    and {checked presence_holds} and {checked population_is_met} and {checked few_are_left_out}
    and {checked uid_is_there_once}
    and {checked one_is_acceptable} and {checked kept_is_fine} and {checked kept_together_is_fine}
    and {checked sensitive_is_limited}
order by {for c in flatten([tanon._list(qi), tanon._list(ts), tanon._list(keep)]) joined by ', '}
    tanon._order_key({c:name}) asc nulls last
{end}
{if remainder}, tanon_stands_for asc nulls last{end}
{if for_owner} , tanon._order_key({respondent}) asc nulls last {end}
{else}
{if result = 'summary'}{summary_of_release}{else}
{if result = 'suppressed'}{suppressed_groups}{else}
{if result = 'warnings'}
select warning, affects, respondents, share, advice
from {warned}
order by tanon_place asc nulls last, affects asc nulls last, warning asc nulls last
{else}
{if result = 'columns'}
select
    tanon_column as column_name, tanon._is_named(tanon_folded, {keep:text}) as kept,
    tanon_values as distinct_values, tanon_alone as singled_out,
    coalesce(tanon_alone / nullif(tanon_people, 0), 0) as singled_out_share,
    tanon_alike as in_groups_of_one_value,
    coalesce(tanon_alike / nullif(tanon_people, 0), 0) as in_groups_of_one_value_share,
    tanon_most / tanon_rows as guess_rate, tanon_usual / tanon_rows as usual_rate
from {told_by_column}
order by all asc nulls last
{else}
select
    tanon_criterion as criterion, tanon_affects as affects, tanon_attack as attack,
    tanon_targets as targets, tanon_hits as hits, tanon_hits / nullif(tanon_targets, 0) as hit_rate,
    tanon._interval(tanon_hits / nullif(tanon_targets, 0), tanon_targets).low as low,
    tanon._interval(tanon_hits / nullif(tanon_targets, 0), tanon_targets).high as high,
    tanon_baseline as baseline, tanon_control as control
from {attacked}
order by tanon_place asc nulls last, tanon_affects asc nulls last
{end}
{end}
{end}
{end}
{end}
