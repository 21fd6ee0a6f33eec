-- Returns a (k,P)-anonymous release of series, with ranges and words.
--
-- At least k series share the ranges of a row, and at least P series also share the word and its
-- level. An adversary who knows the readings or the shape of a series finds at least P rows. Use
-- tanon.publish_series_ranges to release ranges without words. Use tanon.publish_series_parts to
-- give each recipient only some positions. tanon.tune_series compares settings.
--
-- Values of algorithm:
--
--   'shared'         similar series share the word of their mean. It has the lowest loss and
--                    suppresses no series. The word need not be the word of the series itself.
--   'kapra'          groups of P equal words are combined into groups of k with close readings. The
--                    word is the word of the series itself.
--   'kapra_refined'  kapra, followed by moves of groups and series that narrow the ranges.
--   'naive'          groups of k close series first, then words within each group. Ranges are
--                    narrow and words say little.
--
-- With kapra and kapra_refined, P series must have the same word. The function suppresses up to P -
-- 1 other series. If fewer than k series would remain, it releases all series as one group of k.
-- result := 'suppressed' lists the suppressed series and the reason, for the owner.
--
-- Values of split, which divides large groups by value:
--
--   'halves'      cuts across the main direction and makes groups of nearly the smallest size.
--   'sequential'  the published method: two distant seeds, then row after row.
--
-- Values of scale, which says when two series are close:
--
--   'none'      by the unit of the readings. Ranges are narrow in this unit.
--   'position'  by standard deviations of each position. Use it if positions have different units.
--   'series'    by the size of each series. Use it if sizes differ by orders of magnitude.
--
-- The function refuses a column of sensitive that nearly identifies respondents, unless
-- allow_identifying names it. In such a column more than max_singled_out of the series have a
-- unique value, or a text contains an identifier as a whole word. The function does not find
-- identifiers with fewer than four letters and digits, other spellings, or names. It checks the
-- release as tanon.series_violations does before it returns rows.
--
-- The release does not limit sensitive values. It contains the columns of sensitive unchanged, and
-- all rows of a group may have the same value. tanon.publish_perturbed_series limits them, and
-- tanon.series_warnings counts them. The function takes no sensitive column from a declared role.
--
-- Release the same series once. A second release has other groups. An adversary who can link rows
-- of both releases, for example by a rare sensitive value, finds fewer than P rows.
--
-- Group numbers and the order of rows reveal nothing more, because they follow from the released
-- values. The secret decides ties. for_owner := true adds series_id and, for shared, own_pattern,
-- for tanon.series_loss and tanon.evaluate_series. Do not release this copy.
--
-- Cost: nearly linear, except for combining groups of P into groups of k, which takes about N^1.5.
-- Memory: all series and the release, 1 to 2 kB for each series of 10 readings, without spilling.
--
-- Arguments:
--   source         relation               the table, the view or the query in parentheses
--   series_id      column not null as respondent  the series; each series has one row
--   series         columns(list, number)  a list column, or one column for each reading
--   k              integer > 1            the fewest series that share their ranges
--   p              integer >= 1           the fewest of these series that also share their word
--   algorithm  one of 'kapra', 'kapra_refined', 'naive', 'shared' = 'shared'  how the function
--       finds groups
--   max_level      integer in [1, 26] = NULL  the most letters of a word; NULL: 10, or 26 for
--       shared
--   sensitive      columns or none = []  columns to release unchanged
--   allow_identifying  columns or none = []   columns of sensitive to release although they nearly
--       identify respondents
--   max_singled_out  number in [0, 1] = 0.05  the largest share of rows that may have a unique
--       value in such a column
--   for_owner      boolean = false        whether to add series_id and own_pattern, for the checks
--       of the owner
--   secret         secret = NULL          the secret that decides ties; NULL: the secret of the
--       process
--   scale          one of 'none', 'position', 'series' = 'none'  the unit in which series are close
--   split          one of 'halves', 'sequential' = 'halves'  how the function divides large groups
--   foreign_words  boolean = false        whether naive may give a series a similar word that is
--       not its own, as published
--   allow_p1       boolean = false        whether p may be 1, so that words protect nobody
--   result  one of 'release', 'suppressed' = 'release'  the release, or the suppressed series
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
--   k_group      BIGINT        the number of the group with the same ranges
--   p_group      BIGINT        the number of the class
--   low          DOUBLE[]      the lowest reading of the group at each position
--   high         DOUBLE[]      the highest reading of the group at each position
--   word         VARCHAR       the word
--   level        INTEGER       the number of different letters at this level
--   {sensitive}  as in source  the sensitive columns; VARCHAR instead of ENUM or JSON
--   own_pattern  BOOLEAN       (for shared, with for_owner) whether the word is the word of the
--       series itself
-- For: others
-- Promises: check_release(k := $k, p := $p, sensitive := $sensitive)
-- Result suppressed:
--   {series_id}    as in source  the series
--   reason  VARCHAR       the reason for the suppression
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
