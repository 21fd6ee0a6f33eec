-- A k-anonymous release: quasi-identifiers and time, as little generalized as need be, and keep.
--
-- The release has the columns that the call names: qi, ts as the label of its granule, and keep,
-- unchanged. Rows come sorted, so that their order tells nothing of the source.
--
-- result asks another question about the same release, with the same arguments. The answers are
-- for the owner, and no part of the release:
--
--   'summary'     what was chosen, and what the released rows give when they are counted
--   'suppressed'  each group that is left out, why, and the finest of the offered granularities in
--                 which all its rows would reach k at these levels; NULL where none is. It lists
--                 the small groups that the release hides.
--   'warnings'    what others see in the release that the owner should know; no rows: nothing found
--   'attacks'     what simulated adversaries find in the release
--   'columns'     what every column beside qi and ts would tell, if the release had it
--
-- Some columns of keep are refused unless allow_identifying names them: nested ones, further times,
-- texts that hold an identifier of a respondent, and those in which more than max_singled_out of
-- the respondents have a value that nobody else has, alone or together. A text holds an identifier
-- as a whole word, in any case, in whichever row. These are not looked for: identifiers of fewer
-- than four letters and digits, other spellings of an identifier, names and any other identifiers.
-- Columns are judged without qi and ts: beside these, a column can single out many more. How many
-- is what the warning 'singles out' says, and the command line prints it with each release.
--
-- A column of keep that is sensitive, declared or named in sensitive, needs limits, or
-- without_limits := true. Without limits all respondents of a group may have the same value.
--
-- A choice is a granularity, and with hierarchies also a level for each attribute. It lies below
-- another one if its granularity is not coarser and none of its levels is higher. Released is a
-- minimal choice: it is acceptable, and no acceptable choice lies below it. Of several minimal
-- choices the release takes the one with the least loss by entropy. A row that stays tells, for
-- each attribute and for its time, log2 of one over the share of all rows that look like it there.
-- A row that is left out tells nothing. The loss is what rows tell before less what they tell
-- after, on average, rounded to nine decimals. Between equals the lower levels decide, in the order
-- of qi, then the shorter granularity, then the first name of the alphabet.
--
-- choose_by asks for another choice. 'least' takes the minimal choice with the smallest gen_m, and
-- of several the one with the largest gen_s, as tanon.least_generalization does; 'gen_s' takes the
-- minimal choice with the largest gen_s. 'entropy', weights by attribute and 'discernibility'
-- compare all acceptable choices, with the figures of tanon.minimal_generalizations: no choice
-- loses less. Where rows are left out, that one may lie above a minimal choice, since it leaves out
-- fewer. Where cells are hidden, most of these rows stay, and the best minimal choice is taken.
--
-- Attributes leave as text, at the level chosen for all rows: level 0 is the value itself, NULL
-- stays NULL unless its hierarchy has a row for it. levels fixes some of them; an attribute that is
-- fixed at 0 keeps its type. A time with zone is written in UTC, as '2024-01-31 20:00:00+00': texts
-- in hierarchies must be spelled so. Time may be left out.
--
-- Rows in groups below k, at most max_suppression of all, are absent. Before the first row is
-- given out, the release is counted again with the respondents still in it, and a group below k is
-- an error; so are equal values whose spelling tells fewer than k apart, such as -0.0 among many
-- 0.0. It is also an error if nothing that is offered will do, or if a join brings respondent along
-- twice.
--
-- suppression := 'cells' keeps these rows, and suppresses attributes of theirs, shown as *, so that
-- k respondents share what is left: fewest attributes first, of as many those that save the most
-- rows; a group is treated as one, and one that reaches k stays whole. For one attribute no choice
-- has fewer cells; for several it is a heuristic, in small tables within a twentieth of the fewest.
-- What nothing saves is left out. remainder := true shows rows left out as one row for each period,
-- with * for each attribute, NULL for keep and their number in stands_for: periods with fewer
-- than k respondents left out are shown together, under *, or not at all.
--
-- sensitive and limits ask more of each group: k respondents may all have the same disease. What is
-- outside the limits of tanon.diversity_metrics is left out, the search counts it as suppressed,
-- and the release is looked at again. A respondent counts once for each value, and groups are
-- compared with the whole source, whatever is left out. Whoever knows who is in a group of k or
-- more and does not find it knows that its values are outside: so a choice is acceptable only if
-- all groups of k or more that it leaves out, taken together as one, are within the limits too.
--
-- population and presence ask how each group is hidden among those who are not here: at least k_map
-- respondents of the population must be like it, and of these a share of at most delta_high and at
-- least delta_low be in source. Groups that are not are left out, with delta_low none may be, and
-- respondents of the population who are like nobody here count too. The population has qi and ts as
-- source has them. A group that is missing has fewer than k here, or too large a share: none is
-- with max_suppression := 0. The population is counted by the text of its values, as
-- tanon.presence_metrics counts it: 30 days and a month are two groups.
--
-- The promise is for one release of one table, and for one row: whoever knows the quasi-identifiers
-- and the time finds k respondents or more. A second release adds up with the first. A table of
-- admissions that grows, labelled by month and released each day, told 250 of 437 new rows apart
-- from all others, and one table in '3 weeks' and in 'month' left 27 of 300 persons in groups below
-- 5. Several rows of a respondent tell more than one where something links them: see the trail of
-- tanon.risk_by_granularity. limits hold for pairs of respondent and value, and not for shares of
-- respondents: a respondent with seven values counts seven times, so that a value which all in a
-- group have can pass. The rows of a group also tell how often each value came. Who knows how often
-- each respondent came can match these numbers, and be right more often than the limits say. Make
-- limits about one value and one row for each respondent, where that can be.
--
-- for_owner := true adds respondent: the same rows, for tanon.check_release to count respondents;
-- those of a remainder are there one by one. Keep it.
--
-- The warnings count respondents, never rows:
--
--   identifier in a text  a kept column holds identifiers of respondents, as in
--                   tanon.identifier_warnings
--   not acceptable  no offered granularity will do, where time alone is made coarser
--   singles out     a kept column, known beside quasi-identifiers and time, leaves one respondent
--   together        all kept columns together single out more than any of them
--   one value       a kept column has one value in a group: who finds the group knows it
--   no limits       a kept column is sensitive, and no limits look at it
--   further time    a kept column is a time, and is released unchanged
--   nested          a kept column holds several values in one
--   several rows    respondents are in several groups of the release, and may be found by these
--   nobody left     respondents of whom no row is in the release
--   identifiers alike, empty identifier  one person may count as several, or several as one
--
-- The attacks ask the questions of the Article 29 Working Party (WP216):
--
--   singling out  somebody knows the quasi-identifiers, the time and all kept values of a
--                 respondent; right where no other respondent fits. Targets are respondents
--   linkability   somebody has one row of a respondent of several rows, and picks another one at
--                 random among those that are equal in at most three columns; right where it is the
--                 same respondent's. The columns are those by which this is right most often.
--                 Targets are the rows of respondents of several
--   inference     for each kept column: somebody knows quasi-identifiers and time, and guesses the
--                 most frequent value of the group. Targets are rows
--
-- hit_rate has its 95 % interval (Wilson). baseline is what guesses without the release get right:
-- nobody, a row at random, the most frequent value of all. control is the same attack on the source
-- as it stands: with values and time as they are; for linkability with the best columns of the
-- source, whichever these are; and, for inference, the rows that are alone with their
-- quasi-identifiers and time, whose value is read off. An attack that finds no more than its
-- baseline learnt nothing from the release; a control near the baseline says that there was nothing
-- to be learnt. An adversary who links by more than three columns, or by others for each row, may
-- be right more often. In tables of more than 100,000 rows sets are made of fewer than the ten
-- columns that link best alone, of four from a million on.
--
-- A column singles a respondent out if somebody who knows the quasi-identifiers, the time and this
-- one value finds no other respondent. In a group of one value whoever finds the group knows it.
-- Guesses are of the most frequent value of a group, row by row; usual_rate is what guessing the
-- most frequent value of all rows gets right. Values are compared as text. Warnings, attacks and
-- columns look at the granularity that leaves out the least, if time alone is made coarser and no
-- granularity is acceptable.
--
-- Cost: that of tanon.least_generalization, or of tanon.minimal_generalizations, and two
-- aggregations and a join over the rows, with hierarchies a join more for each attribute. Where
-- rows may be left out, also a grouping for each choice above these that could still lose less:
-- few as a rule, many where weights are 0. 'suppressed' looks once more for each offered
-- granularity at the rows with the quasi-identifiers of suppressed groups. 'columns' joins all
-- rows, and aggregates them once for each column. 'warnings' and 'attacks' also aggregate them
-- twice, and once for each set of columns: 175 sets for ten columns, and at most twenty million
-- rows, or 14 sets.
--
-- Arguments:
--   uses release
--   for_owner        boolean = false        whether to add respondent, for your own checks
--   result           one of 'release', 'summary', 'suppressed', 'warnings', 'attacks',
--       'columns' = 'release'  see above
-- Result:
--   {respondent}   as in source  (with for_owner) whom a row is about
--   {qi}    as in source  the quasi-identifiers; VARCHAR where they may be generalized, and
--       instead of ENUM or JSON
--   {ts}    VARCHAR       (with ts) the label of the granule
--   {keep}  as in source  what was to be kept; VARCHAR instead of ENUM or JSON; NULL in a row
--       that stands for rows left out
--   stands_for  BIGINT    (with remainder) 1, or the rows of a period that this one stands for
-- For: others
-- Promises: check_release(qi := $qi, ts := $ts, keep := $keep, k := $k, owner := $tanon_owner,
--     respondent := $respondent, records := case when $remainder then 'stands_for' end)
-- Warnings: identifier_warnings($source, respondent := $respondent, keep := $keep);
--     publish_events($tanon_owner, respondent := $respondent, k := $k, keep := $keep,
--     qi := list_concat(tanon._list($qi), tanon._list($ts)), result := 'warnings')
-- Result summary:
--   granularity     VARCHAR                the granularity of ts, NULL without
--   levels          MAP(VARCHAR, INTEGER)  the level of each attribute, 0 for the value itself
--   records         BIGINT                 rows released
--   suppressed      BIGINT                 rows left out
--   cells           BIGINT                 attributes suppressed in rows released
--   respondents     BIGINT                 distinct respondents in the release
--   groups          BIGINT                 distinct values of the quasi-identifiers
--   gen_m           BIGINT                 the fewest respondents who share one
--   gen_s           BIGINT                 the sum of respondents over all of them
--   discernibility  BIGINT                 squared rows of each group, all rows for one left out
--   entropy         DOUBLE                 bits that a row loses on average, as in
--       tanon.minimal_generalizations; NULL where granularities alone are offered, without
--       choose_by
--   criteria  STRUCT(property VARCHAR, promise VARCHAR, found VARCHAR, holds BOOLEAN)[]  (with
--       limits or population) what was asked of each group beside k, what the worst one reaches
-- For: the owner
-- Result suppressed:
--   {qi}       as in source  the value
--   {ts}       VARCHAR       (with ts) the label of the granule
--   frequency  BIGINT        distinct respondents with this value
--   tuples     BIGINT        rows left out
--   reason     VARCHAR       why
--   cells      VARCHAR[]     (where suppression is 'cells') attributes suppressed, and the rows
--       stay; NULL where no attributes are enough
--   kept_by    VARCHAR       (with ts, without limits and presence) the finest offered granularity
--       that would have kept them
-- For: the owner
-- Result warnings:
--   warning      VARCHAR  what was found
--   affects      VARCHAR  the column, NULL where it is about all of them
--   respondents  BIGINT   whom it concerns
--   share        DOUBLE   their share of the respondents in the release; of the rows left out; of
--       all respondents for nobody left
--   advice       VARCHAR  what it means
-- For: the owner
-- Result attacks:
--   criterion  VARCHAR  singling out, linkability or inference
--   affects    VARCHAR  for inference the column, for linkability the columns that link best
--   attack     VARCHAR  what the adversary knows and does
--   targets    BIGINT   whom or what it is tried on
--   hits       DOUBLE   how many are found, linked or guessed, on average
--   hit_rate   DOUBLE   their share
--   low        DOUBLE   the lower end of its 95 % interval
--   high       DOUBLE   the upper end
--   baseline   DOUBLE   the share without the release
--   control    DOUBLE   the share in the source as it stands
-- For: the owner
-- Result columns:
--   column_name         VARCHAR  the column
--   kept                BOOLEAN  whether it leaves
--   distinct_values     BIGINT   how many values it has in the release
--   singled_out         BIGINT   respondents whom it singles out within a group
--   singled_out_share   DOUBLE   their share of the respondents in the release
--   in_groups_of_one_value        BIGINT  respondents in a group in which all have one value
--   in_groups_of_one_value_share  DOUBLE  their share
--   guess_rate          DOUBLE   share of rows whose value the best guess in the group gets right
--   usual_rate          DOUBLE   the same without the release: always the most frequent value
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
