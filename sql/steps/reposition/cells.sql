-- How many records of each sensitive value every snapshot holds, once all times can be cut.
-- Yields: snapshot_cells, spelled_cells, times_can_be_cut
-- Takes: source, ts, sa, granularity
-- Merges: sum snapshot_cells.tanon_records, sum spelled_cells.tanon_records

guard times_can_be_cut on spelled_cells
    select any_value(tanon._snapshot_problem({ts}, {granularity})) || ', got '
        || any_value({ts}) || ' and ' || count(*) - 1 || ' more'
    from {source}
    where tanon._snapshot_problem({ts}, {granularity}) is not null
    having count(*) > 0
end

-- What a collation takes for one value is counted apart for each way to write it.
step spelled_cells materialized
    select
        tanon._snapshot({ts}, {granularity}) as tanon_home,
        tanon._order_key({sa}) as tanon_spelling,
        {sa} as tanon_sa,
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
