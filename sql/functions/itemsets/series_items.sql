-- The SAX words of raw series as transactions: one item per position.
--
-- Not for publication: counts of the patterns of raw series open inference channels. Use it to see
-- them (tanon.inference_channels) or to publish counts without them (tanon.publish_itemsets). An
-- item says position, letter and level; see tanon.pattern_items for those of a release, which open
-- no channel below P.
--
-- Arguments:
--   source  relation               the table, the view or the query in parentheses
--   series_id  column not null as respondent  names a series, one row each
--   series  columns(list, number)  a list column, or one column for each reading
--   level   integer in [2, 26]     how many letters
-- Result:
--   transaction   as series_id  the series
--   item  STRUCT("position" INTEGER, letter VARCHAR, "level" INTEGER)[]  all its items
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
