-- The rows of this step leave, sorted: an order of their own would tell where they came from.

insert into {{ schema }}.released
select tanon._snapshot_start({{ null_ts }}, tanon_slot, {{ pace }}), {{ others }}, {{ sensitive }}
from tanon_assigned where tanon_slot is not null
order by all asc nulls last;

insert into {{ schema }}.suppressed
select {{ ts }}, {{ others }}, {{ sensitive }}, if(tanon_is_repeat, 'repeat', {{ reason }})
from tanon_assigned where tanon_slot is null
order by all asc nulls last;

delete from {{ schema }}.state_open;

insert into {{ schema }}.state_open
select sensitive, home, slot, records
from tanon_open join tanon_values on number = "value"
order by home asc nulls last, sensitive asc nulls last, slot asc nulls last;
