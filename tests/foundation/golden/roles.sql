with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from "visits"
),
-- sql/steps/roles/held.sql
tanon_own_columns as (
    select
        column_name, column_type, tanon._folded(column_name) as folded,
        row_number() over () as tanon_place
    from (describe from "visits")
),
-- sql/steps/roles/held.sql
tanon_commented_columns as (
    select *, tanon._distance_of({'database': database_name, 'schema': schema_name,
        'relation': table_name}, 'visits',
        tanon._name_parts('visits')) as tanon_far
    from duckdb_columns()
    where tanon_far is not null
    qualify tanon_far = min(tanon_far) over ()
),
-- sql/steps/roles/held.sql
tanon_held_roles as (
    select tanon_role
    from (
        select unnest(tanon._roles_of('visits', tanon_all)) as tanon_role
        from (select tanon._declared('visits') as tanon_all)
    )
    where tanon_role['database'] is null or tanon_role['database'] in (
        select database_name from tanon_commented_columns
    )
)
-- sql/functions/roles/roles.sql
select
    coalesce(c.column_name, tanon_role['column_name']) as column_name, column_type,
    tanon_role['role'] as role, tanon_role['how'] as how,
    case when tanon_role['is_comment'] then 'comment' when tanon_role is not null then 'session' end
        as kept_in
from tanon_own_columns as c full join tanon_held_roles on folded = tanon_role['folded']
order by tanon_place asc nulls last, column_name asc nulls last
