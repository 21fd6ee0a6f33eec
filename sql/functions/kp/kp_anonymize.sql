-- A (k,P)-anonymous release of time series: ranges that k series share, words that P of them share.
--
-- Each published row has the ranges of its k-group, at least k series wide, and the SAX word of
-- its P-group, at least P series of that k-group with the same word at the same level. Who knows
-- a person's readings, or their pattern, or both, finds at least P rows; see tanon.kp_warnings
-- for when that is worth less than it sounds.
--
-- Algorithms:
--   kapra          words first: P-groups of equal own words, joined to k-groups of near ranges
--   kapra_refined  the same words; whole P-groups move and swap between k-groups, then rows of
--                  one word change places, as long as that narrows the ranges
--   naive          k-groups of near values first, words within each: narrow ranges, poor words
--   shared         rows near in value and shape share the word of their mean: by far the lowest
--                  losses. own_pattern says whether the word is also the row's own at that level.
--                  Where it is not, one cannot conclude from the word how the readings of the row
--                  are ordered, nor find a row by the exact word of its series
--
-- A word needs P series that agree; up to P - 1 series for which none do are suppressed, never
-- silently: tanon.kp_suppressed lists them. If KAPRA would be left with fewer than k series, all
-- series are published as one k-group instead. Groups are numbered, and rows ordered, by what is
-- published of them and seed, so that neither tells anything. Publish with keep_id := false; the
-- id is for your own checks (tanon.kp_loss). The release is checked (tanon.kp_violations) before
-- it is returned.
--
-- split: how large groups are cut by value. 'halves' cuts across the main direction and keeps
-- groups near their smallest size; 'sequential' is the published method (two far seeds, row after
-- row). foreign_words := true lets naive give a series the most similar word even if it is not
-- its own, as published: it can say the opposite of the series.
--
-- Cost: near-linear except for joining P-groups to k-groups (about N^1.5). Memory: all series
-- and the release, 1 to 2 kB for each series of 10 readings; nothing of that can spill.
--
-- Arguments:
--   source         relation               the table, the view or the query in parentheses
--   id             column not null        names a series, one row each
--   series         columns(list, number)  a list column, or one column for each reading
--   k              integer > 1            how many series must share their ranges
--   p              integer >= 1           how many of those must share their word
--   algorithm      one of 'kapra', 'kapra_refined', 'naive', 'shared' = 'kapra'  see above
--   max_level      integer in [1, 26] = NULL  the most letters of a word (NULL: 10, for shared 26)
--   sensitive      columns or none = []   columns to publish as they are
--   keep_id        boolean = false        whether the id comes first, for your own checks
--   seed           integer = 0            decides the order of rows and ties
--   split          one of 'halves', 'sequential' = 'halves'  see above
--   foreign_words  boolean = false        see above
--   allow_p1       boolean = false        whether p may be 1: then words protect nobody
-- Checks:
--   p  p <= k                at most k
--   p  p >= 2 or allow_p1    at least 2, or 1 with allow_p1 := true
--   sensitive  not tanon._share_a_name(sensitive, list_append(tanon._list(series), id))  columns
--       other than id and series
-- Result:
--   {id}         as in source  (with keep_id) the series
--   k_group      BIGINT        number of the k-group
--   p_group      BIGINT        number of the P-group
--   low          DOUBLE[]      the lowest reading of the k-group at each position
--   high         DOUBLE[]      the highest
--   pr           VARCHAR       the word
--   level        INTEGER       how many letters the word was written with
--   {sensitive}  as in source  the sensitive columns
--   own_pattern  BOOLEAN       (for shared) whether the word is the row's own
-- Example:
--   from tanon.kp_anonymize('incomes', id := 'name', series := 'incomes', k := 12, p := 6,
--       sensitive := 'charity')
--   order by all limit 3

{% set passed_columns = "{,tanon_s.sensitive}" %}
with
{% include "fragments/kp_release.sql" %},
tanon_classes as (
    select k_group, pr, level, count(*) as rows
    from tanon_released where k_group is not null group by k_group, pr, level
),
tanon_words as materialized (
    select low, high, pr, level, sum(rows)::bigint as rows
    from tanon_classes join tanon_envelopes using (k_group) group by low, high, pr, level
),
{% include "fragments/kp_failing.sql" %},
tanon_checked as (
    select coalesce((
        select error({function} || ': the release failed its own check: ' || any_value(problem))
        from tanon_failing having count(*) > 0
    ), true) as tanon_fine
)
select
    {if keep_id} tanon_id as {id}, {end}
    k_group, p_group, low, high, pr, level {,sensitive}
    {if algorithm = 'shared'} , own_pattern {end}
from tanon_released
join tanon_numbered using (tanon_row)
join tanon_envelopes using (k_group)
where (select tanon_fine from tanon_checked)
order by hash(k_group, p_group {,sensitive}, {seed})
