-- Returns a release of series with ranges at some positions and letters at others.
--
-- Pass a (k,P)-anonymous release. The result has the same rows and levels and is (k,P)-anonymous
-- too. A withheld range is NULL, and a withheld letter is a dot. The result has the columns of keep
-- and no other columns. Recipients can use tanon.estimate_withheld_ranges and
-- tanon.estimate_withheld_words.
--
-- The two lists of positions may be equal, contain one another or overlap. The function refuses
-- disjoint lists, because recipients could then estimate nothing. It refuses a column of keep that
-- nearly identifies respondents, unless allow_identifying names it.
--
-- With domain, the result has the smallest low and the largest high of each position.
-- tanon.estimate_withheld_ranges needs them for clip. Use domain := false if the extremes of a
-- withheld position are secret.
--
-- Two recipients can combine their releases. Group numbers link the rows, so only for_owner := true
-- adds them. Kept columns, levels, published letters and the sizes of classes link most rows too.
-- No check finds this. Assume that two recipients together have all positions of both.
--
-- Do not release an Arrow table of DuckDB, because DuckDB leaves the withheld values in memory
-- under NULL. Write a file with tanon-duck publish_series_parts ... -o FILE instead. It clears
-- these values in .arrow files. CSV, JSON and Parquet store nothing under NULL.
--
-- Arguments:
--   release            relation(low DOUBLE[], high DOUBLE[], word VARCHAR, level INTEGER)  a
--       release
--   value_positions    positions       the positions with published ranges
--   pattern_positions  positions       the positions with published letters
--   domain             boolean = true  whether to release the extent of every position
--   keep  columns or none of release as keep = []  further columns to release unchanged
--   allow_identifying  columns or none of release = []  columns of keep to release although they
--       nearly identify respondents
--   max_singled_out  number in [0, 1] = 0.05  the largest share of rows that may have a unique
--       value in such a column
--   for_owner          boolean = false  whether to add k_group and p_group if release has them
-- Checks:
--   keep  not tanon._share_a_name(keep, ['low', 'high', 'word', 'level'])  columns apart from low,
--       high, word and level
--   keep  not tanon._share_a_name(keep, ['k_group', 'p_group', 'own_pattern'])  columns apart from
--       k_group, p_group and own_pattern
--   allow_identifying  allow_identifying among keep  columns that keep names
--   pattern_positions  tanon._share_a_position(value_positions, pattern_positions)  a list that
--       shares a position with value_positions
-- Result:
--   low          DOUBLE[]         the lower ends of the ranges; NULL if withheld
--   high         DOUBLE[]         the upper ends of the ranges; NULL if withheld
--   word         VARCHAR          the word, with a dot for each withheld letter
--   level        INTEGER          the level of the word
--   domain_low   DOUBLE[]         (with domain) the smallest low of each position
--   domain_high  DOUBLE[]         (with domain) the largest high of each position
--   {keep}       as in release  a column of keep
--   k_group      as in release  (with for_owner) the number of the group with the same ranges
--   p_group      as in release  (with for_owner) the number of the class
-- For: others
-- Promises: check_release(qi := list_concat(['low', 'high', 'word', 'level'],
--     case when $domain then ['domain_low', 'domain_high'] else [] end), keep := $keep)
-- Example:
--   from tanon.publish_series_parts('published_incomes', [1, 2, 3, 4, 5], [3, 4, 5, 6, 7, 8],
--       keep := 'charity', allow_identifying := 'charity')
--   order by charity limit 5

let source = release

step kept_rows
    select *, null as tanon_whose from {release}
end

use kept_people = a_person_each()
use kept_identifiers = no_identifiers()

guard positions_fit on tailored
    select 'positions must be from 1 to ' || any_value(points) || ', got ' || max(asked)
    from (select unnest(list_concat({value_positions}, {pattern_positions})) as asked),
        {release_length}
    where points > 0
    having max(asked) > any_value(points)
end

step extremes
    select
        list(low order by position asc nulls last) as domain_low,
        list(high order by position asc nulls last) as domain_high
    from (
        select position, min(low[position]) as low, max(high[position]) as high
        from {release}, {release_length}, unnest(range(1, points + 1)) as positions(position)
        group by position
    )
end

step tailored
    select
        list_transform(low, lambda x, i: case when list_contains({value_positions}, i) then x end)
            as low,
        list_transform(high, lambda x, i: case when list_contains({value_positions}, i) then x end)
            as high,
        array_to_string(list_transform(string_split(word, ''), lambda x, i:
            case when list_contains({pattern_positions}, i) then x else '.' end
        ), '') as word,
        level {,keep}
        {if for_owner} , columns(lambda c: tanon._folded(c) in ('k_group', 'p_group', 'tanon_none'))
        {end}
    from (select *, null as tanon_none from {release})
    where {checked release_fits} and {checked positions_fit}
        and {checked kept_is_fine} and {checked kept_together_is_fine}
end

guard withheld_is_empty on tailored
    select 'withheld cells must be empty, got ' || count(*) || ' that are not'
    from (
        select unnest(list_zip(low, high, string_split(word, ''), range(1, len(low) + 1))) as cell
        from (select distinct low, high, word from {tailored})
    )
    where (cell[1] is not null or cell[2] is not null)
        and not list_contains({value_positions}, cell[4])
        or cell[3] <> '.' and not list_contains({pattern_positions}, cell[4])
    having count(*) > 0
end

select * {if for_owner} exclude (tanon_none) {end}
from (
    select
        low, high, word, level
        {if domain::varchar::boolean} , domain_low, domain_high {end}
        {,keep} {if for_owner} , columns(lambda c: tanon._folded(c) in (
            'k_group', 'p_group', 'tanon_none')) {end}
    from {tailored} {if domain::varchar::boolean} , {extremes} {end}
    where {checked withheld_is_empty}
    order by
        low asc nulls last, high asc nulls last, word asc nulls last, level asc nulls last
        {,keep:ordered}, encode({keep:encoded}) asc nulls last
)
