-- The plan of this step, and the rows that it deals.

insert into {{ schema }}.state_plan
select {{ step }}, sensitive, home, slot, records, false
from tanon_flows join tanon_values on number = "value"
order by home asc nulls last, sensitive asc nulls last, slot asc nulls last;

insert into {{ schema }}.state_plan
select {{ step }}, sensitive, snapshot, null, repeats, true
from tanon_arrivals
where repeats > 0
order by snapshot asc nulls last, sensitive asc nulls last;

create or replace temp table tanon_assigned as
select *, false as tanon_is_repeat
from (
{% include "dealt" %}
)
union all
select *, null, true from tanon_repeats;
