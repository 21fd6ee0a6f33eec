-- Which rows the flows of a step are, or of all steps: equal values in the order of a keyed hash,
-- nearest slot first, suppressed ones last. Rows of a group that goes one way as a whole need no
-- number.
with source_rows as (
    select * exclude (tanon_is_repeat)
    from (
    {% include "turns" %}
    )
    where not tanon_is_repeat
),
totals as (
    select tanon_home as home, {{ sensitive }} as sensitive, count(*) as total from source_rows
        group by all
),
shares as (
    select
        plan.*, total,
        case when slot is null then total - records
        else coalesce(sum(records) over (
            partition by plan.sensitive, plan.home order by slot asc nulls last
            rows between unbounded preceding and 1 preceding
        ), 0) end as before
    from {{ schema }}.state_plan as plan join totals
        on plan.home = totals.home and plan.sensitive is not distinct from totals.sensitive
    where not plan.is_repeat {% if step is defined %} and plan.home >= {{ lowest_home }} {% endif %}

),
current as (
    select
        sensitive as tanon_sa, home as tanon_from, slot as tanon_slot, records as tanon_records,
        total as tanon_total, before as tanon_before
    from shares {% if step is defined %} where step = {{ step }} {% endif %}

),
written as (
    select source_rows.*, {{ encoded }} as tanon_text
    from source_rows semi join current
        on tanon_home = tanon_from and {{ sensitive }} is not distinct from tanon_sa
        and tanon_records < tanon_total
),
numbered as (
    select *, row_number() over (partition by tanon_home, tanon_text) as tanon_copy from written
),
ranked as (
    select
        *,
        row_number() over (
            partition by tanon_home, {{ sensitive }}
            order by
                tanon._keyed({{ key }}, concat(tanon_copy, ' of ', tanon_text)) asc nulls last
        ) as tanon_rank
    from numbered
)
select {{ ts }}, {{ others }}, {{ sensitive }}, tanon_slot
from source_rows join current
    on tanon_home = tanon_from and {{ sensitive }} is not distinct from tanon_sa
    and tanon_records = tanon_total
union all
select {{ ts }}, {{ others }}, {{ sensitive }}, tanon_slot
from ranked join current
    on tanon_home = tanon_from and {{ sensitive }} is not distinct from tanon_sa
    and tanon_rank > tanon_before and tanon_rank <= tanon_before + tanon_records
