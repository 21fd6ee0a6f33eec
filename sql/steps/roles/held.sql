-- What a name means here, the nearest table or view of it, with its columns and their comments; and
-- the roles that it has: those in comments of one of that name that it hides are not its.
-- Yields: own_columns, commented_columns, held_roles
-- Takes: source

step own_columns
    select
        column_name, column_type, tanon._folded(column_name) as folded,
        row_number() over () as tanon_place
    from (describe from {source:relation})
end

step commented_columns
    select *, tanon._distance_of({'database': database_name, 'schema': schema_name,
        'relation': table_name}, {tanon._named_text(source)},
        tanon._name_parts({tanon._named_text(source)})) as tanon_far
    from duckdb_columns()
    where tanon_far is not null
    qualify tanon_far = min(tanon_far) over ()
end

step held_roles
    select tanon_role
    from (
        select unnest(tanon._roles_of({tanon._named_text(source)}, tanon_all)) as tanon_role
        from (select tanon._declared({tanon._last_text(source)}) as tanon_all)
    )
    where tanon_role['database'] is null or tanon_role['database'] in (
        select database_name from {commented_columns}
    )
end
