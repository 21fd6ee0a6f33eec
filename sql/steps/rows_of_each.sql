-- How many rows each respondent has.
-- Yields: identifiers_of_rows, people_of_rows, rows_of_each
-- Takes: source, respondent

step rows_of_each
    select {respondent} as tanon_uid, count(*) as tanon_n from {source} group by {respondent}
end

step identifiers_of_rows
    select tanon_uid as tanon_id from {rows_of_each}
end

-- As those whose columns are kept.
step people_of_rows
    select tanon_uid as tanon_whose, tanon_n from {rows_of_each}
end
