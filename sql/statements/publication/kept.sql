-- Snapshots of released and suppressed that do not hold what the plan deals from the source.

with dealt as (
{% include "dealt" %}
    {% if repeats %}

    union all
    select {{ ts }}, {{ others }}, {{ sensitive }}, null from (
    {% include "turns" %}
    ) where tanon_is_repeat
    {% endif %}

),
found as (
    select 'released' as tanon_place, {{ ts }}, {{ others }}, {{ sensitive }}, 1 as tanon_n
    from {{ schema }}.released
    union all
    select 'suppressed', {{ ts }}, {{ others }}, {{ sensitive }}, 1 from {{ schema }}.suppressed
    union all
    select
        'released', tanon._snapshot_start({{ null_ts }}, tanon_slot, {{ pace }}),
        {{ others }}, {{ sensitive }}, -1
    from dealt where tanon_slot is not null
    union all
    select 'suppressed', {{ ts }}, {{ others }}, {{ sensitive }}, -1 from dealt
        where tanon_slot is null
),
known as (
    select
        tanon_place as place, tanon._snapshot({{ ts }}, {{ pace }}) as snapshot,
        tanon._keyed({{ key }}, {{ encoded }}) as fingerprint, tanon_n as n
    from found
),
counted as (
    select place, snapshot, fingerprint, sum(n) as n, count(*) filter (n > 0) as there
    from known
    group by place, snapshot, fingerprint
)
select
    place, tanon._snapshot_start({{ null_ts }}, snapshot, {{ pace }})::varchar,
    sum(there) || ' records of which ' || sum(greatest(n, 0)) || ' were not put there, with '
        || sum(greatest(-n, 0)) || ' missing'
from counted
group by place, snapshot
having bool_or(n <> 0)
order by place asc nulls last, snapshot asc nulls last
