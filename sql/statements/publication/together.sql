-- How many persons could hold more than one l-th of a snapshot of this step, whichever of equal
-- records move, and of how many snapshots.

with cells as (
    select {{ uid }} as uid, tanon_home as home, {{ sa }} as sa, count(*) as records
    from (
    {% include "turns" %}
    )
    where not tanon_is_repeat
    group by {{ uid }}, tanon_home, {{ sa }}
),
several as (select uid from cells group by uid having sum(records) > 1),
together as (
    select slot, uid, sum(least(cells.records, plan.records)) as records
    from (from cells semi join several using (uid)) as cells
        join {{ schema }}.state_plan as plan
            on cells.home = plan.home and cells.sa is not distinct from plan.sa
    where step = {{ step }} and slot is not null
    group by slot, uid
),
sizes as (
    select slot, sum(records) as size from {{ schema }}.state_plan
    where step = {{ step }} and slot is not null
    group by slot
)
select count(distinct uid), count(distinct slot)
from together join sizes using (slot)
where records > 1 and tanon._exceeds_share(records, size, {{ l }})
