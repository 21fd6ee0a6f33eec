-- Snapshots seen before, that are not any more what they were.

with found as (
    select
        tanon._snapshot({{ ts }}, {{ pace }}) as snapshot,
        count(*) as records,
        sum(tanon._keyed({{ key }}, {{ encoded }})) % 79228162514264337593543950336 as fingerprint
    from {{ source }}
    where {{ ts }} < {{ until }}
    group by tanon._snapshot({{ ts }}, {{ pace }})
)
select
    tanon._snapshot_start({{ null_ts }}, snapshot, {{ pace }})::varchar,
    coalesce(seen.records, 0), coalesce(found.records, 0)
from found full join {{ schema }}.state_seen as seen using (snapshot)
where found.fingerprint is distinct from seen.fingerprint
order by snapshot asc nulls last
