-- What is wrong with the rows of this step; no rows means that they may be released.

select 'a snapshot that is not l-eligible'
from (
    select tanon_slot, {{ sa }}, count(*) as tanon_n
    from tanon_assigned where tanon_slot is not null
    group by all
)
group by tanon_slot
having max(tanon_n) * {{ numerator }} > sum(tanon_n) * {{ denominator }}
union all
select 'a record moved backward or beyond the window'
from tanon_assigned
where tanon_slot - tanon._snapshot({{ ts }}, {{ pace }}) not between 0 and {{ w }} - 1
union all
select 'rows that do not add up to the plan'
where (select count(*) from tanon_assigned)
    <> (select coalesce(sum(records), 0) from {{ schema }}.state_plan where step = {{ step }})
union all
select 'a snapshot that has been released before'
from tanon_assigned
where tanon_slot <= {{ released }}
