with
-- the argument source: sql/private/arguments.sql
tanon_source as not materialized (
    from "visits"
),
-- sql/functions/roles/roles.sql:19
tanon_own_columns as (
    select column_name, column_type, tanon._folded(column_name) as folded,
        row_number() over () as tanon_place
    from (describe from "visits")
),
-- sql/functions/roles/roles.sql:25
tanon_declared_here as (
    select unnest(tanon._roles_of('visits', tanon_all)) as tanon_role
    from (select tanon._declared('visits') as tanon_all)
)
-- sql/functions/roles/roles.sql
select
    coalesce(c.column_name, tanon_role['column_name']) as column_name, column_type,
    tanon_role['role'] as role, tanon_role['how'] as how,
    case when tanon_role['is_comment'] then 'comment' when tanon_role is not null then 'session' end
        as kept_in
from tanon_own_columns as c full join tanon_declared_here on folded = tanon_role['folded']
order by tanon_place, column_name
