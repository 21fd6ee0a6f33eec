-- How many records of each sensitive value every snapshot holds, once all times can be cut.
-- Yields: snapshot_cells, spelled_cells, times_can_be_cut
-- Takes: source, ts, sensitive, granularity

guard times_can_be_cut on spelled_cells
    select tanon_problem || ', got ' || case when starts_with(tanon_problem, 'granularity')
        then coalesce({granularity:text}, 'NULL')
        else min({ts}::varchar) || ' and ' || count(*) - 1 || ' more' end
    from (
        select {ts}, tanon._snapshot_problem({ts}, {granularity}) as tanon_problem from {source}
    )
    where tanon_problem is not null
    group by tanon_problem
    order by tanon_problem asc nulls last
    limit 1
end

-- What a collation takes for one value is counted apart for each way to write it.
step spelled_cells materialized
    select
        tanon._snapshot({ts}, {granularity}) as tanon_home,
        tanon._order_key({sensitive}) as tanon_spelling,
        {sensitive} as tanon_sa,
        count(*) as tanon_records
    from {source}
    where {checked times_can_be_cut}
    group by all
end

-- Groups are named, here and below: GROUP BY ALL would hold the spellings of a collation apart.
step snapshot_cells materialized
    select tanon_home, tanon_sa, sum(tanon_records)::bigint as tanon_records
    from {spelled_cells}
    group by tanon_home, tanon_sa
end
