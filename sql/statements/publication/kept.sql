-- Snapshots of released and suppressed that are not any more what the plan put there.

with found as (
    select
        'released' as place, tanon._snapshot({{ ts }}, {{ pace }}) as snapshot, {{ sa }} as sa,
        count(*) as n, 0 as planned
    from {{ schema }}.released
    group by all
    union all
    select 'suppressed', tanon._snapshot({{ ts }}, {{ pace }}), {{ sa }}, count(*), 0
    from {{ schema }}.suppressed
    group by all
    union all
    select
        case when slot is null then 'suppressed' else 'released' end, coalesce(slot, home), sa,
        0, records
    from {{ schema }}.state_plan
),
counted as (
    select place, snapshot, sa, sum(n) as n, sum(planned) as planned from found group by all
)
select
    place, tanon._snapshot_start({{ null_ts }}, snapshot, {{ pace }})::varchar,
    sum(n) || ' records of which ' || sum(greatest(n - planned, 0)) || ' were not put there, '
        || 'with ' || sum(greatest(planned - n, 0)) || ' missing'
from counted
group by place, snapshot
having bool_or(n <> planned)
order by all
