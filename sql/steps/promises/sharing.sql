-- How many share what is known of a row that leaves: its quasi-identifiers and its time, as they
-- are written. Rows have tanon_whose, the respondent or NULL, tanon_times, how many rows one stands
-- for, and tanon_all, which is the same for all.
-- Yields: sharing
-- Takes: qi, ts

step sharing(rows) materialized
    select count(tanon_whose) as tanon_people, sum(tanon_n)::bigint as tanon_rows
    from (
        select tanon_all, tanon_whose, sum(tanon_times) as tanon_n
            {for q in flatten([tanon._list(qi), tanon._list(ts)]) joined by ''}
            , tanon._order_key({q:name}) as {q:name}{end}
        from {rows}
        group by tanon_all, tanon_whose
            {for q in flatten([tanon._list(qi), tanon._list(ts)]) joined by ''}
            , tanon._order_key({q:name}){end}
    )
    group by tanon_all {for q in flatten([tanon._list(qi), tanon._list(ts)]) joined by ''}
        , {q:name}{end}
end
