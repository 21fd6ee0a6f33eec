-- What arrives: counts per (snapshot, value), and a fingerprint of every snapshot.

create or replace temp table tanon_arrivals as
select
    tanon._snapshot({{ ts }}, {{ pace }}) as snapshot,
    {{ sa }} as sa,
    count(*) as records,
    sum(hash(*columns(tanon_rows.*)))::hugeint as fingerprint
from {{ source }} as tanon_rows
where {{ ts }} < {{ until }} {% if from_ts is defined %} and {{ ts }} >= {{ from_ts }} {% endif %}

group by all;

insert into {{ schema }}.state_seen
select snapshot, sum(records), sum(fingerprint)
from tanon_arrivals group by all order by all;

-- Values are numbered in their own order, so that ties fall the same way in every step.
create or replace temp table tanon_values as
select sa, row_number() over (order by sa nulls last) - 1 as number
from (select sa from tanon_arrivals union select sa from {{ schema }}.state_open);
