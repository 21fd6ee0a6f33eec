-- The digests of all snapshots seen, by this version of DuckDB.

update {{ schema }}.state_seen
set quick = found.quick
from (
    select
        tanon._snapshot({{ ts }}, {{ pace }}) as snapshot,
        count(*) as records,
        sum(hash({{ ts }}, {{ others }}, {{ sensitive }})) as quick
    from {{ source }}
    where {{ ts }} < {{ until }}
    group by tanon._snapshot({{ ts }}, {{ pace }})
) as found
where state_seen.snapshot = found.snapshot;
