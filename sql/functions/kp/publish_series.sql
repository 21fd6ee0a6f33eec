-- A (k,P)-anonymous release of time series: ranges that k series share, words that P of them share.
--
-- Each published row has the ranges of its k-group, at least k series wide, and the SAX word of
-- its P-group, at least P series of that k-group with the same word at the same level. Who knows
-- a person's readings, or their pattern, or both, finds at least P rows; see tanon.series_warnings
-- for when that is worth less than it sounds.
--
-- Algorithms:
--   shared         series near in value and shape share the word of their mean. It has the lowest
--                  losses and suppresses no series. The word need not be the word of the series
--                  itself: nobody can conclude from it how the readings of a series are ordered
--   kapra          the published algorithm: P-groups of equal words are joined to k-groups of near
--                  ranges. The word is the word of the series itself
--   kapra_refined  the words of kapra; P-groups and series change k-groups while ranges narrow
--   naive          the published baseline: k-groups of near values first, then words within each.
--                  Its ranges are narrow and its words say little
--
-- With kapra a word needs P series that agree. Up to P - 1 series may find no partners; they are
-- suppressed. If fewer than k series would remain, all series are published as one k-group instead.
-- result := 'suppressed' lists the suppressed series and why, for the owner. sensitive, accept and
-- for_owner change nothing there; another secret may suppress other series.
--
-- Groups are numbered by what is published of them and rows are sorted, so that neither tells
-- anything; secret decides ties, such as which of equal series goes where. The release is checked
-- as tanon.series_violations does before it is returned.
--
-- The columns that the call names in sensitive are released unchanged, and nothing limits how alike
-- their values are in a group: tanon.publish_perturbed_series does, tanon.series_warnings counts. A
-- declared role does not name them. A column is refused unless accept names it if it nearly names a
-- person: values that only one series has, for more than max_singled_out of them, or texts with
-- identifiers of the table as whole words. Identifiers of fewer than four letters and digits, other
-- spellings and names are not looked for. Round such a column, or accept it where nobody can know
-- it.
--
-- for_owner := true adds the id and, for shared, own_pattern: whether the word is the row's own.
-- Keep that copy. Whoever knows the readings of somebody knows own_pattern too, and it splits
-- P-groups below P. The copy is for tanon.series_loss and tanon.evaluate_series.
--
-- One release of one table: a second one cuts the same persons in other groups, and rows of both
-- that belong together (by a rare sensitive value) are shared by fewer than P. Of 1,000 walks
-- released for (10, 4), and again with one reading more, 478 were single and 837 below 4.
--
-- split: how large groups are cut by value. 'halves' cuts across the main direction and keeps
-- groups near their smallest size; 'sequential' is the published method (two far seeds, row after
-- row). foreign_words := true lets naive give a series the most similar word even if it is not
-- its own, as published: it can say the opposite of the series.
--
-- scale: in what readings are near. 'none': in their own unit, for ranges narrow in that unit.
-- 'position': in standard deviations of their position, where units or spreads of positions
-- differ. 'series': in sizes (root mean square) of their series, where sizes differ by orders of
-- magnitude: ranges are then narrow as shares of the readings, and wide in units for large series.
--
-- Cost: near-linear except for joining P-groups to k-groups (about N^1.5). Memory: all series
-- and the release, 1 to 2 kB for each series of 10 readings; nothing of that can spill.
--
-- Arguments:
--   source         relation               the table, the view or the query in parentheses
--   series_id      column not null as respondent  names a series, one row each
--   series         columns(list, number)  a list column, or one column for each reading
--   k              integer > 1            how many series must share their ranges
--   p              integer >= 1           how many of those must share their word
--   algorithm      one of 'kapra', 'kapra_refined', 'naive', 'shared' = 'shared'  see above
--   max_level      integer in [1, 26] = NULL  the most letters of a word (NULL: 10, for shared 26)
--   sensitive      columns or none = []  columns to publish as they are
--   allow_identifying  columns or none = []   those that leave although they nearly name a person
--   max_singled_out  number in [0, 1] = 0.05  the share of rows of which such a column may have a
--       value that no other row has
--   for_owner      boolean = false        whether to add series_id and own_pattern, for your own
--       checks
--   secret         secret = NULL          what decides ties; NULL: the one that the process holds
--   scale          one of 'none', 'position', 'series' = 'none'  see above
--   split          one of 'halves', 'sequential' = 'halves'  see above
--   foreign_words  boolean = false        see above
--   allow_p1       boolean = false        whether p may be 1: then words protect nobody
--   result         one of 'release', 'suppressed' = 'release'  see above
-- Checks:
--   p  tanon._at_least(k, p)  at most k
--   p  tanon._at_least(p, 2) or allow_p1  at least 2, or 1 with allow_p1 := true
--   sensitive  not tanon._share_a_name(sensitive, tanon._list(series))  columns other than
--       series_id and series
--   sensitive  not tanon._share_a_name(sensitive, series_id)  columns other than
--       series_id and series
--   allow_identifying  allow_identifying among sensitive  columns that sensitive names
-- Result:
--   {series_id}         as in source  (with for_owner) the series
--   k_group      BIGINT        number of the k-group
--   p_group      BIGINT        number of the P-group
--   low          DOUBLE[]      the lowest reading of the k-group at each position
--   high         DOUBLE[]      the highest
--   word         VARCHAR       the word
--   level        INTEGER       how many letters the word was written with
--   {sensitive}  as in source  the sensitive columns; VARCHAR instead of ENUM or JSON
--   own_pattern  BOOLEAN       (for shared, with for_owner) whether the word is the row's own
-- For: others
-- Promises: check_release(k := $k, p := $p, sensitive := $sensitive)
-- Result suppressed:
--   {series_id}    as in source  the series
--   reason  VARCHAR       why it cannot be published
-- For: the owner
-- Example:
--   from tanon.publish_series('incomes', series_id := 'name', series := 'incomes', k := 12, p := 6,
--       sensitive := 'charity', allow_identifying := 'charity')
--   order by all limit 3

let keep = sensitive

-- What tanon.publish_series makes of the series: for each its groups and word, NULL where it is
-- left out, and the ranges of each k-group.

step kp_answer materialized
    select tanon._answer(tanon_kp_groups(
        list(tanon_values order by tanon_row asc nulls last), {k}, {p}, {algorithm},
        {if max_level is not null} {max_level} {else} if({algorithm} = 'shared', 26, 10) {end},
        {split}, {foreign_words}, {scale}
    )) as tanon_answer
    from {numbered_series}
end

step kp_series
    select
        generate_subscripts(tanon_answer['found'], 1) as tanon_row,
        unnest(tanon_answer['found'], recursive := true)
    from {kp_answer}
end

step kp_envelopes materialized
    select
        generate_subscripts(tanon_answer['envelopes'], 1) as k_group,
        unnest(tanon_answer['envelopes'], recursive := true)
    from {kp_answer}
end

step kept_rows
    select *, null as tanon_whose from {source}
end

use kept_people = a_person_each()

step kept_identifiers
    select {series_id} as tanon_id from {source}
end

piece purpose
    'tanon.kp_anonymize'
end

step series_rows
    select {series_id} as tanon_id, {readings} as tanon_values {,tanon_s.sensitive}
    from {source} as tanon_s
end

step leaving
    select k_group, p_group, low, high, word, level {,sensitive}
    from {kp_series}
    join {numbered_series} using (tanon_row)
    join {kp_envelopes} using (k_group)
end

step undeclared
    select '' as tanon_and_more
end
guard release_is_right on kp_series
    select 'the release failed its own check: ' || any_value(problem)
    from {kp_failing} having count(*) > 0
end

{if result = 'suppressed'}
select
    tanon_id as {series_id},
    'fewer than P = ' || {p} || ' series agree with its word at any level: only '
    || count(*) over () || ' such series are left' as reason
from {kp_series} join {numbered_series} using (tanon_row)
where k_group is null
order by tanon_id asc nulls last
{else}
select
    {if for_owner} tanon_id as {series_id}, {end}
    k_group, p_group, low, high, word, level {for c in tanon._list(sensitive) joined by ''}
    , tanon._without_labels({c:name}) as {c:name}{end}
    {if for_owner and algorithm = 'shared'} , own_pattern {end}
from {kp_series}
join {numbered_series} using (tanon_row)
join {kp_envelopes} using (k_group)
where {checked kept_is_fine} and {checked kept_together_is_fine}
    and {checked release_is_right}
order by
    k_group asc nulls last, p_group asc nulls last {,sensitive:ordered},
    encode({sensitive:encoded}) asc nulls last {if for_owner} , tanon_id asc nulls last {end}
{end}
