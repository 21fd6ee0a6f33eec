-- How many share what is known of a row that leaves: its quasi-identifiers and its time, as they
-- are written. Rows have tanon_whose, the respondent or NULL, tanon_times, how many rows one stands
-- for, and tanon_all, which is the same for all. Who has a single row needs no name: such
-- respondents add up.
-- Yields: sharing
-- Takes: qi, ts

step sharing(rows) materialized
    with tanon_several as materialized (
        select tanon_whose as tanon_name from {rows} group by tanon_whose having count(*) > 1
    )
    select sum(tanon_f)::bigint as tanon_people, sum(tanon_n)::bigint as tanon_rows
    from (
        select
            tanon_all, tanon_name, sum(tanon_times) as tanon_n,
            case when tanon_name is null then count(tanon_whose) else 1 end as tanon_f
            {for q in flatten([tanon._list(qi), tanon._list(ts)]) joined by ''}
            , tanon._order_key({q:name}) as {q:name}{end}
        from {rows} left join tanon_several on tanon_whose = tanon_name
        group by tanon_all, tanon_name
            {for q in flatten([tanon._list(qi), tanon._list(ts)]) joined by ''}
            , tanon._order_key({q:name}){end}
    )
    group by tanon_all {for q in flatten([tanon._list(qi), tanon._list(ts)]) joined by ''}
        , {q:name}{end}
end
