-- Calls by the text of their arguments. A call passes on its text; or the text of a query that
-- finds the roles, if something is missing or declared that may stand for it. How, depends on where
-- the macros are created: passing.sql of one folder says it. No operator stands there, as it runs
-- before it is known that they are DuckDB's.

create or replace macro tanon._session_has_roles() as
    coalesce(len(getvariable('tanon_roles')::varchar) > 2, false);

-- A call, by the text of its arguments, of the macro that makes the text of a function, and of the
-- one that makes the text of a query which finds its roles.
create or replace macro tanon._call_of_text(name, given) as
    concat('from query(tanon._text_of_', name, '(', given, '))');

create or replace macro tanon._query_by_roles(name, given) as
    concat('from query(tanon._made(', tanon._text(name), ', ', given, '))');

create or replace macro tanon._call_of_query(name, given) as concat(
    'from query(tanon._query_by_roles(', tanon._text(name), ', tanon._by_roles_to_', name, '(',
    given, ')))');
