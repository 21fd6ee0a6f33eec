-- Random queries of the rows of a release without withheld cells.
-- Yields: series_answers
-- Reads: series_to_compare
-- Takes: id, queries, series

step series_answers
    from tanon.evaluate_release('(from tanon_series_to_compare)', '(from tanon_published '
        'where not contains(pr, ''.'') and len(low) = list_count(low) and len(high) = '
        'list_count(high) and coalesce(isfinite(list_sum(low) + list_sum(high)), false))',
        {id:text}, {tanon._text(concat('the readings of ', series::varchar))}, greatest({queries}, 1))
    where (select count(*) >= 0 from {series_to_compare})
end
