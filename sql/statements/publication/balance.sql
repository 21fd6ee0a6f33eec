-- Snapshots of which not every record of the source is released, suppressed or waiting, once.

select tanon._snapshot_start({{ null_ts }}, home, {{ pace }})::varchar, sum(abs(records))
from (
    select home, sensitive, sum(records) as records
    from (
        select tanon._snapshot({{ ts }}, {{ pace }}) as home, {{ sensitive }} as sensitive,
            1 as records
        from {{ source }}
        where {{ ts }} < {{ until }}
        union all
        select home, sensitive, -records from {{ schema }}.state_plan
        union all
        select home, sensitive, -records from {{ schema }}.state_open
    )
    group by home, sensitive
)
group by home
having sum(abs(records)) > 0
order by home asc nulls last
