with
-- the argument source: tanon_duck/macros/source_ctes.py
tanon_source as not materialized (
    from "visits"
),
-- sql/functions/roles/set_roles.sql
tanon_asked_roles as (
    select
        tanon_e['key'] as tanon_name, tanon._folded(tanon_e['key']) as folded,
        nullif(tanon._role_word(tanon_e['value']), 'none') as tanon_role,
        tanon._how_word(tanon_e['value']) as tanon_how
    from (select unnest(tanon._entries(map {'patient': 'respondent',
        'admitted': 'time; month, quarter', 'zip': 'quasi-identifier; prefixes 3', 'sex': 'quasi-identifier'}::map(varchar, varchar))) as tanon_e)
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
-- sql/functions/roles/set_roles.sql
tanon_roles_name_columns as (
select coalesce(error('tanon.set_roles' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'roles must name columns of source, got ''' || tanon_name || ''''
        || tanon._hint(tanon_name, (select list(column_name) from tanon_own_columns))
    from tanon_asked_roles as a
    where folded not in (select folded from tanon_own_columns)
    limit 1
) as tanon_messages(tanon_message)
),
-- sql/functions/roles/set_roles.sql
tanon_roles_are_said_once as (
select coalesce(error('tanon.set_roles' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'roles must name each column once, got ' || min(tanon_name) || ' twice'
    from tanon_asked_roles
    group by folded
    having count(*) > 1
    limit 1
) as tanon_messages(tanon_message)
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
),
-- sql/functions/roles/set_roles.sql
tanon_one_of_a_kind as (
select coalesce(error('tanon.set_roles' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'roles must name one ' || tanon_role || ', got '
        || string_agg(
            tanon_name, ', ' order by tanon_name asc nulls last
        ) || '; the role none removes a role'
    from (
        select tanon_name, tanon_role
        from tanon_asked_roles
        where folded in (select folded from tanon_own_columns)
        union all
        select h.tanon_role['column_name'], h.tanon_role['role']
        from tanon_held_roles as h
        where h.tanon_role['folded'] not in (select folded from tanon_asked_roles)
            and h.tanon_role['folded'] in (select folded from tanon_own_columns)
    )
    where tanon_role in ('respondent', 'time')
    group by tanon_role
    having count(*) > 1
    limit 1
) as tanon_messages(tanon_message)
),
-- sql/functions/roles/set_roles.sql
tanon_time_is_a_time as (
select coalesce(error('tanon.set_roles' || ': ' || min(coalesce(tanon_message, 'a check failed')))::boolean, true) as tanon_fine
from (
    select 'roles must name a DATE or TIMESTAMP column as time, or an integer one without'
        || ' granularities, got ' || column_name || ' of type '
        || column_type
    from tanon_asked_roles join tanon_own_columns using (folded)
    where (select tanon_fine from tanon_one_of_a_kind) and tanon_role = 'time'
        and not regexp_matches(column_type, '^(DATE|TIMESTAMP)')
        and (tanon_how is not null
            or not regexp_matches(column_type, '^U?(TINY|SMALL|BIG|HUGE)?INT'))
    limit 1
) as tanon_messages(tanon_message)
)
-- sql/functions/roles/set_roles.sql
select
    o.column_name, tanon_role as role, tanon_how as how,
    case when c.column_name is null or temporary or readonly
    then tanon._session_statement(case when temporary then 'temp' end,
        case when temporary then c.table_name else 'visits' end,
        o.column_name, tanon_role, tanon_how)
    else tanon._comment_statement('"visits"', o.column_name, tanon_role,
        tanon_how, c.comment) end as statement
from tanon_asked_roles join tanon_own_columns as o using (folded)
left join (
    select c.column_name, c.comment, table_name, database_name = 'temp' as temporary, readonly,
        tanon._folded(c.column_name) as folded
    from tanon_commented_columns as c join duckdb_databases() using (database_name)
) as c using (folded)
where (select tanon_fine from tanon_roles_name_columns) and (select tanon_fine from tanon_roles_are_said_once) and (select tanon_fine from tanon_one_of_a_kind)
    and (select tanon_fine from tanon_time_is_a_time)
order by tanon_place asc nulls last
