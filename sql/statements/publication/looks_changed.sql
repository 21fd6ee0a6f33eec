-- Whether a snapshot that was seen before looks changed; another version of DuckDB hashes
-- otherwise.

select count(*) > 0
from (
    select
        tanon._snapshot({{ ts }}, {{ pace }}) as snapshot,
        count(*) as records,
        sum(hash({{ ts }}, {{ others }}, {{ sensitive }})) as quick
    from {{ source }}
    where {{ ts }} < {{ until }}
    group by tanon._snapshot({{ ts }}, {{ pace }})
) as found full join {{ schema }}.state_seen as seen using (snapshot)
where (found.records, found.quick) is distinct from (seen.records, seen.quick)
