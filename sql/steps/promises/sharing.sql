-- How many share what is known of a row that leaves: its quasi-identifiers and its time, as they
-- are written. Rows have tanon_whose, the respondent or NULL, tanon_times, how many rows one stands
-- for, and tanon_all, which is the same for all.
-- Yields: sharing
-- Takes: qi, ts

step sharing(rows) materialized
    select count(distinct tanon_whose) as tanon_people, sum(tanon_times)::bigint as tanon_rows
    from {rows}
    group by tanon_all
        {for q in flatten([tanon._list(qi), tanon._list(ts)]) joined by ''}
        , tanon._order_key({q:name}){end}
end
