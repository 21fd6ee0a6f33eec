-- Returns the statements that declare the roles of the columns of a relation.
--
-- Functions then use the roles for omitted arguments. A role is respondent, quasi-identifier, time,
-- sensitive, keep or drop. none removes a role. A relation has one respondent and one time. Columns
-- that the call does not name have their previous role. To get a proposal, use tanon.suggest_roles.
--
-- A quasi-identifier and the time can name a generalization: 'quasi-identifier; prefixes 4, 3' and
-- 'time; month, quarter, year'. tanon.hierarchies lists the forms. An integer time has no
-- granularities.
--
-- The comment of a column stores its role after the existing text: "Postal code. [tanon:
-- quasi-identifier; prefixes 4, 3]". The variable tanon_roles of the session stores roles of files,
-- queries, temporary tables and read-only databases.
--
-- The function does not run the statements:
--
--   'tanon-duck shell'  run them with .run.
--   'Python'            tanon_duck.set_roles(con, 'visits', ...) runs them.
--   'command line'      tanon-duck set_roles FILE.duckdb visits patient=respondent runs them.
--   'stock shell'       write them to a file with .once, read it with .read, and type set variable
--                       tanon_roles = tanon.roles_text().
--
-- Arguments:
--   source  relation  the table, the view or the query in parentheses
--   roles   roles     the role of each column: {'patient': 'respondent', 'zip': ...}
-- Checks:
--   source  tanon._named_relation(source) is not null  the name of a table, a view or a file,
--       because a query cannot have roles
-- Result:
--   column_name  VARCHAR  the column
--   role         VARCHAR  the new role
--   how          VARCHAR  the generalization of the column
--   statement    VARCHAR  the statement that declares the role
-- For: the owner
-- Example:
--   from tanon.set_roles('visits', {'patient': 'respondent', 'admitted': 'time; month, quarter',
--       'zip': 'quasi-identifier; prefixes 3', 'sex': 'quasi-identifier'})

step asked_roles
    select
        tanon_e['key'] as tanon_name, tanon._folded(tanon_e['key']) as folded,
        nullif(tanon._role_word(tanon_e['value']), 'none') as tanon_role,
        tanon._how_word(tanon_e['value']) as tanon_how
    from (select unnest(tanon._entries({roles})) as tanon_e)
end

guard roles_name_columns on asked_roles
    select 'roles must name columns of source, got ''' || tanon_name || ''''
        || tanon._hint(tanon_name, (select list(column_name) from {own_columns}))
    from {asked_roles} as a
    where folded not in (select folded from {own_columns})
    limit 1
end

guard roles_are_said_once on asked_roles
    select 'roles must name each column once, got ' || min(tanon_name) || ' twice'
    from {asked_roles}
    group by folded
    having count(*) > 1
    limit 1
end

guard one_of_a_kind on asked_roles
    select 'roles must name one ' || tanon_role || ', got '
        || string_agg(
            tanon_name, ', ' order by tanon_name asc nulls last
        ) || '; the role none removes a role'
    from (
        select tanon_name, tanon_role
        from {asked_roles}
        where folded in (select folded from {own_columns})
        union all
        select h.tanon_role['column_name'], h.tanon_role['role']
        from {held_roles} as h
        where h.tanon_role['folded'] not in (select folded from {asked_roles})
            and h.tanon_role['folded'] in (select folded from {own_columns})
    )
    where tanon_role in ('respondent', 'time')
    group by tanon_role
    having count(*) > 1
    limit 1
end

guard time_is_a_time on asked_roles
    select 'roles must name a DATE or TIMESTAMP column as time, or an integer one without'
        || ' granularities, got ' || column_name || ' of type '
        || column_type
    from {asked_roles} join {own_columns} using (folded)
    where {checked one_of_a_kind} and tanon_role = 'time'
        and not regexp_matches(column_type, '^(DATE|TIMESTAMP)')
        and (tanon_how is not null
            or not regexp_matches(column_type, '^U?(TINY|SMALL|BIG|HUGE)?INT'))
    limit 1
end

select
    o.column_name, tanon_role as role, tanon_how as how,
    case when c.column_name is null or temporary or readonly
    then tanon._session_statement(case when temporary then 'temp' end,
        case when temporary then c.table_name else {tanon._named_text(source)} end,
        o.column_name, tanon_role, tanon_how)
    else tanon._comment_statement({tanon._target_text(source)}, o.column_name, tanon_role,
        tanon_how, c.comment) end as statement
from {asked_roles} join {own_columns} as o using (folded)
left join (
    select c.column_name, c.comment, table_name, database_name = 'temp' as temporary, readonly,
        tanon._folded(c.column_name) as folded
    from {commented_columns} as c join duckdb_databases() using (database_name)
) as c using (folded)
where {checked roles_name_columns} and {checked roles_are_said_once} and {checked one_of_a_kind}
    and {checked time_is_a_time}
order by tanon_place asc nulls last
