{# How many records of each sensitive value every snapshot holds. #}
tanon_aligned as (
    select coalesce((
        select error({function} || ': ' || any_value(tanon._snapshot_problem({ts}, {granularity}))
            || ', got ' || any_value({ts}) || ' and ' || count(*) - 1 || ' more')
        from {source}
        where tanon._snapshot_problem({ts}, {granularity}) is not null
        having count(*) > 0
    ), 'true')::boolean as tanon_fine
),
tanon_cells as materialized (
    select
        tanon._snapshot({ts}, {granularity}) as tanon_home,
        {sa} as tanon_sa,
        count(*) as tanon_records
    from {source}
    where (select tanon_fine from tanon_aligned)
    group by all
)
