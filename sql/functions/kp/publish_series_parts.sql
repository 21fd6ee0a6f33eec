-- A tailored release: ranges at some positions, letters at others, the rest withheld.
--
-- Withheld ranges become NULL, withheld letters a dot. The rows and their levels stay as they are,
-- so the result is (k,P)-anonymous if the release is. Of other columns only those named in keep
-- leave, sorted, and group numbers only with for_owner := true: by them the rows of two tailored
-- releases can be joined, and what the one withholds read in the other. Most rows can be joined
-- without numbers, too: by how many rows are alike, by their level, and by the letters and ranges
-- at positions that both releases have. No check finds that. So take two recipients for one who has
-- all positions that either of them has. A column kept in both that tells rows apart joins them
-- too; one that nearly names a person is refused unless named in accept. The two lists may be
-- equal, contain one another or overlap; if they were disjoint, nothing could be estimated from the
-- rest, and the call is refused. With domain, each position's smallest low and largest high over
-- the whole release are published too, which tanon.estimate_withheld_ranges needs to clip what it
-- cannot bound; leave them out where the extremes of a withheld position are themselves a secret.
--
-- Arrow: DuckDB leaves under each NULL what its memory held before, withheld ranges too, and who
-- reads the bytes of an Arrow table sees it. Release a file that tanon-duck publish_series_parts
-- ... -o FILE has written: it clears that in .arrow files, and CSV, JSON and Parquet hold nothing
-- under NULL.
--
-- Arguments:
--   release            relation(low DOUBLE[], high DOUBLE[], word VARCHAR, level INTEGER)  a
--       release
--   value_positions    positions       where the ranges are published
--   pattern_positions  positions       where the letters are published
--   domain             boolean = true  whether to publish the extent of every position
--   keep               columns or none of release as keep = []  what else leaves, as it is
--   allow_identifying  columns or none of release = []  those of them that leave although they
--       nearly name a person
--   max_singled_out  number in [0, 1] = 0.05  the share of rows of which such a column may have a
--       value that no other row has
--   for_owner          boolean = false  whether to add k_group and p_group, if published has them
-- Checks:
--   keep  not tanon._share_a_name(keep, ['low', 'high', 'word', 'level'])  columns apart from low,
--       high, word and level
--   keep  not tanon._share_a_name(keep, ['k_group', 'p_group', 'own_pattern'])  columns apart from
--       k_group, p_group and own_pattern
--   allow_identifying  allow_identifying among keep  columns that keep names
--   pattern_positions  tanon._share_a_position(value_positions, pattern_positions)  a list that
--       shares a position with value_positions
-- Result:
--   low          DOUBLE[]         the ranges, NULL where withheld: lower ends
--   high         DOUBLE[]         upper ends
--   word         VARCHAR          the word, with a dot for each withheld letter
--   level        INTEGER          its level
--   domain_low   DOUBLE[]         (with domain) the smallest low of each position
--   domain_high  DOUBLE[]         (with domain) the largest high of each position
--   {keep}       as in release  what was to be kept
--   k_group      as in release  (with for_owner) number of the k-group
--   p_group      as in release  (with for_owner) number of the P-group
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
