{# Which of the records of a snapshot and value go where, by their rank; whole groups go one way. #}
tanon_shares as materialized (
    select
        tanon_sa, tanon_home, tanon_records, tanon_loss,
        tanon._snapshot_start((select any_value({ts}) from {source}), tanon_slot, {granularity})
            as tanon_published,
        tanon_slot - tanon_home as tanon_distance,
        dense_rank() over (order by tanon_home, tanon_value) as tanon_group,
        coalesce(sum(tanon_records) over (
            partition by tanon_value, tanon_home order by tanon_slot nulls last
            rows between unbounded preceding and 1 preceding
        ), 0)::bigint as tanon_before
    from tanon_flows join tanon_values using (tanon_value)
    where (select tanon_fine from tanon_checked)
),
tanon_groups as materialized (
    select
        tanon_home, tanon_sa, tanon_group, count(*) = 1 as tanon_whole,
        any_value(tanon_published) as tanon_published,
        any_value(tanon_distance) as tanon_distance,
        any_value(tanon_loss) as tanon_loss
    from tanon_shares
    group by all
)
