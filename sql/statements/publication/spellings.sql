-- Values of sensitive that the collation of the source takes for one, where they are spelt in
-- several ways: what has been seen keeps no collation, and would count each as a value of its own.

select list(distinct sensitive::varchar order by encode(sensitive::varchar) asc nulls last)[:2]
from (
    select sensitive from tanon_arrivals where false
    union all
    select sensitive from {{ schema }}.state_counts
) as seen
where typeof(sensitive) = 'VARCHAR'
group by seen.sensitive
having count(distinct encode(sensitive::varchar)) > 1
order by all asc nulls last
limit 1;
