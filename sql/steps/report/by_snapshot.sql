-- Guesses of the most frequent value of each published snapshot: how many are right. The function
-- says what is `moved`.
-- Yields: rows_by_snapshot
-- Reads: moved
-- Takes: sa

step rows_by_snapshot
    select sum(tanon_most) as tanon_by_day, sum(tanon_n) as tanon_rows
    from (
        select max(n) as tanon_most, sum(n) as tanon_n
        from (
            select published_ts, count(*) as n
            from {moved}
            where published_ts is not null
            group by published_ts, {sa}
        )
        group by published_ts
    )
end
