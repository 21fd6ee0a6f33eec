-- A k-anonymous release: quasi-identifiers and time, as little generalized as need be, and keep.
--
-- The release has the columns that the call names: qi, ts as the label of its granule, and keep,
-- unchanged. Rows come sorted, so that their order tells nothing of the source.
--
-- Some columns of keep are refused unless accept names them: nested ones, further times, texts that
-- hold an identifier of a respondent, and those in which more than max_singled_out of the
-- respondents have a value that nobody else has, alone or together. A text holds an identifier as
-- a whole word, in any case, in whichever row. These are not looked for: identifiers of fewer than
-- four letters and digits, other spellings of an identifier, names and any other identifiers.
-- Columns are judged without qi and ts: beside these, a column can single out many more. How many
-- is what 'singles out' of tanon.k_anonymity_warnings says, and the command line prints it with
-- each release.
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
-- prefer asks for another choice. 'least' takes the minimal choice with the smallest gen_m, and of
-- several the one with the largest gen_s, as tanon.least_generalization does; 'gen_s' takes the
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
-- Rows in groups below k, at most max_suppression of all, are absent; tanon.k_anonymous_suppressed
-- lists their groups, tanon.publish_k_anonymous_summary what was chosen. Before the first row is
-- given out, the release is counted again with the respondents still in it, and a group below k is
-- an error; so are equal values whose spelling tells fewer than k apart, such as -0.0 among many
-- 0.0. It is also an error if nothing that is offered will do, or if a join brings uid along twice.
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
-- tanon.risk_profile. limits hold for pairs of respondent and value, and not for shares of
-- respondents: a respondent with seven values counts seven times, so that a value which all in a
-- group have can pass. The rows of a group also tell how often each value came. Who knows how often
-- each respondent came can match these numbers, and be right more often than the limits say. Make
-- limits about one value and one row for each respondent, where that can be.
--
-- for_owner := true adds uid: the same rows, for tanon.check_release to count respondents; those of
-- a remainder are there one by one. Keep it.
--
-- Cost: that of tanon.least_generalization, or of tanon.minimal_generalizations, and two
-- aggregations and a join over the rows, with hierarchies a join more for each attribute. Where
-- rows may be left out, also a grouping for each choice above these that could still lose less:
-- few as a rule, many where weights are 0.
--
-- Arguments:
{% set owners_copy = true %}
{% include "arguments/release.sql" %}
-- Result:
--   {uid}   as in source  (with for_owner) whom a row is about
--   {qi}    as in source  the quasi-identifiers; VARCHAR where they may be generalized, and
--       instead of ENUM or JSON
--   {ts}    VARCHAR       (with ts) the label of the granule
--   {keep}  as in source  what was to be kept; VARCHAR instead of ENUM or JSON; NULL in a row
--       that stands for rows left out
--   stands_for  BIGINT    (with remainder) 1, or the rows of a period that this one stands for
-- For: others
-- Promises: check_release(qi := $qi, ts := $ts, keep := $keep, k := $k, owner := $tanon_owner,
--     uid := $uid, records := case when $remainder then 'stands_for' end)
-- Warnings: identifier_warnings($source, uid := $uid, keep := $keep);
--     k_anonymity_warnings($tanon_owner, uid := $uid, k := $k, keep := $keep,
--     qi := list_concat(tanon._list($qi), tanon._list($ts)))
-- Suppressed: k_anonymous_suppressed
-- Shards:
--   hierarchies, levels  applied  where rows lie, if a level of each is given
--   prefer                refused  its search asks again and again
--   population            along    whole beside each shard
--   suppression, remainder             refused  cells of several groups are weighed together
--   granularities         single when hierarchies or limits or presence  to choose among several
--       is a search that asks for all rows again and again
--   span, uncovered       by qi unless no ts  added up
--   granularity_metrics.sizes_offered  by qi unless limits or presence or no ts  whole groups
--   some_are_feasible     decided unless limits or presence or no ts  from these
--   granularity_metrics.measured  decided unless limits or presence or no ts  from these
--   granules_apart, values_apart  by qi unless limits or presence or no ts  added up
--   choice                decided unless limits or presence or no ts  from these
--   secrets_here          left by qi when limits  who has which value, in this shard
--   secrets_met           by tanon_sensitive, tanon_whose of secrets_here when limits  and in all
--   sensitive_values_met as sensitive_values  decided when limits  of all shards
--   shares_met as source_shares  decided when limits  of all shards
--   rows_here             by qi when no ts  added up
--   rows_of_span as row_count          decided when limits or presence or no ts  of all shards
--   choice_offered as choice           decided when limits or presence or no ts  tried
--   population_holds_source  by qi when presence  whole groups in each shard
--   wide_met              decided when presence  how many of the population are like each group
--   left_out_here         by qi when limits or presence or no ts  whole groups in each, added up
--   people_missed         left by qi when limits  in groups of k or more
--   values_missed         by tanon_sensitive, tanon_whose of people_missed when limits  and in all
--   choice_taken as choice  decided when limits or presence or no ts  unless it leaves out too much
--   one_is_acceptable     decided  from these
--   all_who_are_kept      by uid when keep  who is there
--   values_kept           left by anything when keep  who has which value, alone in its shard
--   alone_with_a_value    left by tanon_folded, tanon_text of values_kept when keep  and in all
--   singled_out           by tanon_only of alone_with_a_value when keep  each once
--   values_together       left by anything when keep  the same of all columns together
--   alone_with_all        left by tanon_texts of values_together when keep  and in all
--   singled_out_together  by tanon_only of alone_with_all when keep  each once
--   identifier_lengths    by anything when keep  how long identifiers are
--   names_met             left by anything when keep  identifiers, and words of as many letters
--   identifiers_met as identifiers_found  by tanon_word of names_met when keep  in all
--   kept_is_fine, kept_together_is_fine  decided  from these
--   sensitive_is_limited  decided  from roles
--   rows_that_stay, k_holds, uid_is_there_once  by qi  the release is counted again, everywhere
--   limits_hold           by qi when limits  in whole groups
--   left_out_is_within_limits  decided when limits  from all shards together
--   presence_holds, groups_released  by qi when presence  in whole groups
--   population_is_met     decided when presence  from all shards together
--   few_are_left_out      decided  from all shards together
--   query                 by qi  whole groups in each shard, and k is counted there again
-- Shards by uid:
--   limits, presence      refused  whole respondents in each shard, and not whole groups
--   granularities         required  whole groups of a table without a time lie by qi
--   span, uncovered       by uid   added up
--   granularity_metrics.feasibility  decided  from these
--   granularity_metrics.groups_here  left by uid  whole respondents in each shard
--   granularity_metrics.sizes_met as sizes_offered  by qi of groups_here  their groups added up
--   some_are_feasible     decided  from these
--   granularity_metrics.measured  decided  from these
--   granules_apart, values_apart  by uid  added up
--   choice, one_is_acceptable  decided  from these
--   all_who_are_kept      by uid when keep  who is there
--   values_kept           left by anything when keep  who has which value, alone in its shard
--   alone_with_a_value    left by tanon_folded, tanon_text of values_kept when keep  and in all
--   singled_out           by tanon_only of alone_with_a_value when keep  each once
--   values_together       left by anything when keep  the same of all columns together
--   alone_with_all        left by tanon_texts of values_together when keep  and in all
--   singled_out_together  by tanon_only of alone_with_all when keep  each once
--   identifier_lengths    by anything when keep  how long identifiers are
--   names_met             left by anything when keep  identifiers, and words of as many letters
--   identifiers_met as identifiers_found  by tanon_word of names_met when keep  in all
--   kept_is_fine, kept_together_is_fine  decided  from these
--   sensitive_is_limited  decided  from roles
--   counts_in_choice      left by uid  groups of the granularity that is chosen
--   few_in_choice as groups_below_k  by qi of counts_in_choice  added up
--   release_counts        left by uid  the release counted again, everywhere
--   few_share as sharing_the_release  by qi of release_counts  added up
--   rows_that_stay        by uid   and rows left out
--   k_holds, few_are_left_out, uid_is_there_once  decided  from all shards together
--   query                 by uid   rows stay where they are
--   shown                 by qi, ts, keep  no file tells which rows are of one respondent
-- Example:
--   from tanon.publish_k_anonymous('visits', uid := 'patient', qi := ['sex'], ts := 'admitted',
--       granularities := ['week', 'month', 'quarter', 'year'], k := 5, keep := ['diagnosis'])
--   limit 5

use measured = walked()

step kept_rows not materialized
    select {uid} as tanon_whose, * from {source}
end

use kept_people = people_of_rows()
use kept_identifiers = identifiers_of_rows()

step rows_for_others not materialized
    select {if for_owner}{uid},{end} {qi} {,ts} {,keep}, 1::bigint as tanon_stands_for
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
{if for_owner} , tanon._order_key({uid}) asc nulls last {end}
