-- What is wrong with the rows of this step; no rows means that they may be released.

select 'a snapshot that is not l-eligible'
from (
    select tanon_slot, {{ sensitive }}, count(*) as tanon_n
    from tanon_assigned where tanon_slot is not null
    group by all
)
group by tanon_slot
having tanon._exceeds_share(max(tanon_n), sum(tanon_n), {{ l }})
{% if persons %}
union all
select 'a person with more than one l-th of a snapshot'
from (
    select tanon_slot, count(*) as tanon_n
    from tanon_assigned where tanon_slot is not null
    group by tanon_slot, {{ respondent }}
)
group by tanon_slot
having tanon._exceeds_share(max(tanon_n), sum(tanon_n), {{ l }})
{% endif %}
union all
select 'a record moved backward or beyond the window'
from tanon_assigned
where tanon._leaves_window(tanon._snapshot({{ ts }}, {{ pace }}), tanon_slot, {{ w }})
union all
select 'rows that do not add up to the plan'
from (
    select tanon._snapshot({{ ts }}, {{ pace }}) as home, {{ sensitive }} as sensitive, tanon_slot,
        1 as records
    from tanon_assigned
    union all
    select home, sensitive, slot, -records from {{ schema }}.state_plan where step = {{ step }}
)
group by home, sensitive, tanon_slot
having sum(records) <> 0
union all
select 'seen records that are not once released, suppressed or waiting'
from (
    select home, sensitive, records from {{ schema }}.state_counts
    union all
    select home, sensitive, -records from {{ schema }}.state_plan
    union all
    select home, sensitive, -records from tanon_open join tanon_values on number = "value"
)
group by home, sensitive
having sum(records) <> 0
union all
select 'rows added to or taken from released or suppressed'
from {{ schema }}.state_plan
where step < {{ step }}
having coalesce(sum(records) filter (slot is not null), 0)
    <> (select count(*) from {{ schema }}.released)
    or coalesce(sum(records) filter (slot is null), 0)
    <> (select count(*) from {{ schema }}.suppressed)
union all
select 'a snapshot that has been released before'
from tanon_assigned
where tanon_slot <= {{ released }}
{% if is_covered %}
union all
-- what is open has no way yet, but counts as part of its snapshot
select 'records that are late and tell more than their snapshot'
from (
    select
        slot is not null or not open as decided,
        sum(records) as n,
        sum(sum(records)) over (partition by home, open, slot) as way,
        sum(sum(records)) over (partition by home, value) as of_value,
        sum(sum(records)) over (partition by home) as snapshot
    from (
        select home, sensitive as value, slot, false as open, records from {{ schema }}.state_plan
        where not is_repeat
        union all
        select home, tanon_values.sensitive, slot, true, records
        from tanon_open join tanon_values on number = "value"
    )
    group by home, value, slot, open
)
where decided and tanon._tells_more(n, way, of_value, snapshot, {{ l }})
{% endif %}
