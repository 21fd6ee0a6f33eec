-- The pattern strings of a (k,P) release as transactions: one item per position.
--
-- An item says position, letter and level, because letters of different levels mean different
-- ranges. In a (k,P)-anonymous release every row's pattern occurs at least P times, so the counts
-- of its itemsets open no inference channel below P, whatever min_support. Withheld letters ('.')
-- and rows without a pattern are left out.
--
-- Arguments:
--   release    relation(word VARCHAR, level INTEGER)  a release such as tanon.publish_series makes
-- Result:
--   transaction   BIGINT  the transaction
--   item  STRUCT("position" INTEGER, letter VARCHAR, "level" INTEGER)[]  all its items
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
