-- Returns the SAX words of series as transactions, with one item for each position.
--
-- The result is for the owner, because supports of such items have inference channels. Use
-- tanon.inference_channels to see them, or tanon.publish_itemsets to release supports without
-- channels. An item has position, letter and level. For a release of series use
-- tanon.pattern_items.
--
-- Arguments:
--   source  relation               the table, the view or the query in parentheses
--   series_id  column not null as respondent  the series; each series has one row
--   series  columns(list, number)  a list column, or one column for each reading
--   level   integer in [2, 26]     the number of different letters
-- Result:
--   transaction   as series_id  the series
--   item  STRUCT("position" INTEGER, letter VARCHAR, "level" INTEGER)[]  all items of the
--       transaction
-- For: the owner
-- Example:
--   from tanon.series_items('incomes', series_id := 'name', series := 'incomes', level := 3)
--   order by all limit 2

step series_rows
    select {series_id} as tanon_id, {readings} as tanon_values from {source}
end

step words_of_series
    select
        tanon_id,
        tanon._answer(tanon_sax(tanon_values, {level}::integer, null::integer)) as tanon_word
    from {series_rows}
    where {checked series_are_fine}
end

select
    tanon_id as transaction,
    [
        {'position': tanon_at::integer, 'letter': tanon_word[tanon_at], 'level': {level}::integer}
        for tanon_at in range(1, len(tanon_word) + 1)
    ] as item
from {words_of_series}
