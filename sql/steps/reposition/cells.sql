-- How many records of each sensitive value every snapshot holds, once all times can be cut.
-- Yields: snapshot_cells
-- Takes: source, ts, sa, granularity
-- Merges: sum snapshot_cells.tanon_records

guard times_can_be_cut on snapshot_cells
    select any_value(tanon._snapshot_problem({ts}, {granularity})) || ', got '
        || any_value({ts}) || ' and ' || count(*) - 1 || ' more'
    from {source}
    where tanon._snapshot_problem({ts}, {granularity}) is not null
    having count(*) > 0
end

-- Groups are named, here and below: GROUP BY ALL would hold the spellings of a collation apart.
step snapshot_cells materialized
    select
        tanon._snapshot({ts}, {granularity}) as tanon_home,
        {sa} as tanon_sa,
        count(*) as tanon_records
    from {source}
    where {checked times_can_be_cut}
    group by tanon_home, tanon_sa
end
