with tanon_call as (
select true
)
-- sql/functions/granularity/granularities.sql
select tanon_name as granularity, 'built-in' as kind,
    tanon._label(timestamp '2024-02-29 13:45', tanon_name) as example
from (select unnest(tanon._built_in()) as tanon_name)
