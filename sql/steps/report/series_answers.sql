-- Random queries of the rows of a release without withheld cells.
-- Yields: series_answers
-- Takes: published, source, id, series, queries

step series_answers
    from tanon.evaluate_release({tanon._text(source)}, {tanon._text(concat(
        '(from ', tanon._relation(published), ' where not contains(pr, ''.'') and len(low) = '
        'list_count(low) and len(high) = list_count(high) and coalesce(isfinite(list_sum(low) + '
        'list_sum(high)), false))'))}, {id:text}, {series:text}, greatest({queries}, 1))
end
