-- What arrives: counts per (snapshot, value), and two digests of every snapshot: sums of hashes of
-- its rows, of the columns that are used and of nothing else. A fingerprint is of keyed hashes.

create or replace temp table tanon_arriving as
{% include "turns" %};

create or replace temp table tanon_arrivals as
select
    tanon_home as snapshot,
    {{ sensitive }} as sensitive,
    count(*) as records,
    count(*) filter (tanon_is_repeat) as repeats,
    sum(hash({{ ts }}, {{ others }}, {{ sensitive }})) as quick,
    sum(tanon._keyed({{ key }}, {{ encoded }})) as fingerprint
from tanon_arriving
group by tanon_home, {{ sensitive }};

create or replace temp table tanon_repeats as
select {{ ts }}, {{ others }}, {{ sensitive }} from tanon_arriving where tanon_is_repeat;

drop table tanon_arriving;

insert into {{ schema }}.state_seen
select snapshot, sum(records), sum(quick), sum(fingerprint) % 79228162514264337593543950336
from tanon_arrivals group by snapshot order by snapshot asc nulls last;

insert into {{ schema }}.state_counts
select sensitive, snapshot, records from tanon_arrivals
order by snapshot asc nulls last, sensitive asc nulls last;

-- Values are numbered in their own order, so that ties fall the same way in every step.
create or replace temp table tanon_values as
select sensitive, row_number() over (order by sensitive asc nulls last) - 1 as number
from (select sensitive from tanon_arrivals union select sensitive from {{ schema }}.state_open);
