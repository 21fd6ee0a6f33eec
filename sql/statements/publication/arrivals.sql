-- What arrives: counts per (snapshot, value), and two digests of every snapshot: sums of hashes of
-- its rows, of the columns that are used and of nothing else. A fingerprint is of keyed hashes.

create or replace temp table tanon_arriving as
{% include "turns" %};

create or replace temp table tanon_arrivals as
select
    tanon_home as snapshot,
    {{ sa }} as sa,
    count(*) as records,
    count(*) filter (tanon_is_repeat) as repeats,
    sum(hash({{ ts }}, {{ others }}, {{ sa }})) as quick,
    sum(tanon._keyed({{ key }}, {{ encoded }})) as fingerprint
from tanon_arriving
group by tanon_home, {{ sa }};

create or replace temp table tanon_repeats as
select {{ ts }}, {{ others }}, {{ sa }} from tanon_arriving where tanon_is_repeat;

drop table tanon_arriving;

insert into {{ schema }}.state_seen
select snapshot, sum(records), sum(quick), sum(fingerprint) % 79228162514264337593543950336
from tanon_arrivals group by snapshot order by snapshot asc nulls last;

insert into {{ schema }}.state_counts
select sa, snapshot, records from tanon_arrivals
order by snapshot asc nulls last, sa asc nulls last;

-- Values are numbered in their own order, so that ties fall the same way in every step.
create or replace temp table tanon_values as
select sa, row_number() over (order by sa asc nulls last) - 1 as number
from (select sa from tanon_arrivals union select sa from {{ schema }}.state_open);
