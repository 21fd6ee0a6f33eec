-- The series that a report is about, under a name that no other column has and in one list, so that
-- the report tells unknown columns and wrong types; random queries of them and of the rows of its
-- release without withheld cells.
-- Yields: pair_of_series, series_answers, series_to_compare
-- Reads: readings, series_are_fine
-- Takes: source, id, series, sensitive, queries

step series_to_compare
    select {id}, {readings} as {tanon._identifier(concat('the readings of ', series::varchar))}
        {,sensitive}
    from {source}
    where {checked series_are_fine}
end

piece pair_of_series
    '(from tanon_published)', '(from tanon_series_to_compare)', {id:text},
        {tanon._text(concat('the readings of ', series::varchar))}
end

step series_answers
    from tanon.evaluate_release('(from tanon_series_to_compare)', '(from tanon_published '
        'where not contains(pr, ''.'') and len(low) = list_count(low) and len(high) = '
        'list_count(high) and coalesce(isfinite(list_sum(low) + list_sum(high)), false))',
        {id:text}, {tanon._text(concat('the readings of ', series::varchar))},
        greatest({queries}, 1))
    where (select count(*) >= 0 from {series_to_compare})
end
