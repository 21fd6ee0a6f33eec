-- Values of sa that the collation of the source takes for one, where they are spelt in several
-- ways: what has been seen keeps no collation, and would count each as a value of its own.

select list(distinct sa::varchar order by encode(sa::varchar) asc nulls last)[:2]
from (
    select sa from tanon_arrivals where false
    union all
    select sa from {{ schema }}.state_counts
) as seen
where typeof(sa) = 'VARCHAR'
group by seen.sa
having count(distinct encode(sa::varchar)) > 1
order by all asc nulls last
limit 1;
