-- How many rows each respondent has.
-- Yields: identifiers_of_rows, people_of_rows, rows_of_each
-- Takes: source, uid

step rows_of_each
    select {uid} as tanon_uid, count(*) as tanon_n from {source} group by {uid}
end

step identifiers_of_rows
    select tanon_uid as tanon_id from {rows_of_each}
end

-- As those whose columns are kept.
step people_of_rows
    select tanon_uid as tanon_whose, tanon_n from {rows_of_each}
end
