-- Series that go into one shard of theirs, whose groups are then made by itself: those that look
-- alike, so that little is lost against groups of all of them. Each shard has k or more, and
-- 10,000 where there are so many: below that groups of one shard lose more. For shards alone.
-- Yields: near
-- Reads: partitions
-- Takes: k

-- What looks alike is counted in `alike`, in an order in which neighbours are near. Cells are
-- cut into shards of one size; a shard that one large cell leaves with too few joins the one
-- before it.
step near(alike)
    select
        tanon_like,
        coalesce(last_value(case when tanon_rows >= {k} then tanon_cut end ignore nulls) over (
            order by
                tanon_cut asc nulls last,
                tanon_like asc nulls last rows between unbounded preceding and current row
        ), 0) as tanon_near
    from (
        select tanon_like, tanon_cut, sum(tanon_n) over (partition by tanon_cut) as tanon_rows
        from (
            select
                tanon_like, tanon_n,
                (sum(tanon_n) over (order by tanon_like asc nulls last) - tanon_n) // (
                    select greatest(
                        10000, 2 * {k}::bigint,
                        ceil((select sum(tanon_n) from {alike}) / any_value(tanon_partitions))
                    )::bigint
                    from {partitions}
                ) as tanon_cut
            from {alike}
        )
    )
end
