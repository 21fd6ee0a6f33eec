-- How many persons could hold more than one l-th of a snapshot of this step, whichever of equal
-- records move, and of how many snapshots.

with cells as (
    select {{ respondent }} as respondent, tanon_home as home, {{ sensitive }} as sensitive,
        count(*) as records
    from (
    {% include "turns" %}
    )
    where not tanon_is_repeat
    group by {{ respondent }}, tanon_home, {{ sensitive }}
),
several as (select respondent from cells group by respondent having sum(records) > 1),
together as (
    select slot, respondent, sum(least(cells.records, plan.records)) as records
    from (from cells semi join several using (respondent)) as cells
        join {{ schema }}.state_plan as plan
            on cells.home = plan.home and cells.sensitive is not distinct from plan.sensitive
    where step = {{ step }} and slot is not null
    group by slot, respondent
),
sizes as (
    select slot, sum(records) as size from {{ schema }}.state_plan
    where step = {{ step }} and slot is not null
    group by slot
)
select count(distinct respondent), count(distinct slot)
from together join sizes using (slot)
where records > 1 and tanon._exceeds_share(records, size, {{ l }})
