-- All roles that are declared here, as the stock shell wants them in a variable.
--
-- A role stands in the comment of its column, and what tanon_duck.connect opened, tanon-duck shell
-- and the command line read it there. The stock shell reads no table while it binds a call, so that
-- there this is typed after each change:
--
--   set variable tanon_roles = tanon.roles_text();
--
-- A script of tanon-duck script does it when it is read. What the session has declared for files,
-- queries and temporary tables, which keep no comments, stays.
--
-- Returns: STRUCT("database" VARCHAR, "schema" VARCHAR, relation VARCHAR, column_name VARCHAR,
--   role VARCHAR, how VARCHAR)[]
-- For: the owner
-- Example:
--   select len(tanon.roles_text()) as columns

list_concat(tanon._declared(NULL), list_filter(tanon._roles_of_session(),
    lambda s: s['database'] is null or s['database'] = 'temp'))
