-- What arrives: counts per (snapshot, value), and a fingerprint of every snapshot: the sum of the
-- keyed hashes of its rows, which takes in the columns that are used and nothing else.

create or replace temp table tanon_arrivals as
select
    tanon._snapshot({{ ts }}, {{ pace }}) as snapshot,
    {{ sa }} as sa,
    count(*) as records,
    sum(tanon._keyed({{ key }}, {{ encoded }})) as fingerprint
from {{ source }}
where {{ ts }} < {{ until }} {% if from_ts is defined %} and {{ ts }} >= {{ from_ts }} {% endif %}

group by all;

insert into {{ schema }}.state_seen
select snapshot, sum(records), sum(fingerprint) % 79228162514264337593543950336
from tanon_arrivals group by snapshot order by snapshot asc nulls last;

insert into {{ schema }}.state_counts
select sa, snapshot, records from tanon_arrivals
order by snapshot asc nulls last, sa asc nulls last;

-- Values are numbered in their own order, so that ties fall the same way in every step.
create or replace temp table tanon_values as
select sa, row_number() over (order by sa asc nulls last) - 1 as number
from (select sa from tanon_arrivals union select sa from {{ schema }}.state_open);
