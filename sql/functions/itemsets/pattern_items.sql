-- Returns the words of a (k,P)-anonymous release as transactions, with one item for each position.
--
-- Use the result as the source of tanon.frequent_itemsets. An item has position, letter and level,
-- because a letter has another meaning at another level. Every word of a (k,P)-anonymous release
-- occurs at least P times. Therefore the supports of its itemsets have no inference channel below
-- P. Withheld letters and rows without a word are absent. For series that are not released, use
-- tanon.series_items.
--
-- Arguments:
--   release    relation(word VARCHAR, level INTEGER)  a release such as tanon.publish_series
--       returns
-- Result:
--   transaction   BIGINT  the transaction
--   item  STRUCT("position" INTEGER, letter VARCHAR, "level" INTEGER)[]  all items of the
--       transaction
-- For: anybody
-- Example:
--   with published as (select 'abba' as word, 3 as level from range(4))
--   from tanon.pattern_items('published')
--   order by all

select
    row_number() over (order by word asc nulls last, level asc nulls last) as transaction,
    [
        {'position': tanon_at::integer, 'letter': word[tanon_at], 'level': level::integer}
        for tanon_at in range(1, len(word) + 1)
        if word[tanon_at] <> '.'
    ] as item
from {release}
where word is not null
