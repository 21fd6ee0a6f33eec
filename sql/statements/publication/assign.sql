-- The plan of this step, and the rows that it deals.

insert into {{ schema }}.state_plan
select {{ step }}, sa, home, slot, records
from tanon_flows join tanon_values on number = "value"
order by home asc nulls last, sa asc nulls last, slot asc nulls last;

create or replace temp table tanon_assigned as
{% include "dealt" %};
