-- Returns all declared roles of the database, for a variable of the stock DuckDB shell.
--
-- tanon_duck.connect, tanon-duck shell and the command line read roles from the comments of
-- columns. The stock shell cannot, so type this statement after each change:
--
--   set variable tanon_roles = tanon.roles_text();.
--
-- tanon-duck script writes a script that does this when the shell reads it. The result contains the
-- roles that the session has for files, queries and temporary tables.
--
-- Returns: STRUCT("database" VARCHAR, "schema" VARCHAR, relation VARCHAR, column_name VARCHAR,
--   role VARCHAR, how VARCHAR)[]
-- For: the owner
-- Example:
--   select len(tanon.roles_text()) as columns

list_concat(tanon._declared(NULL), list_filter(tanon._roles_of_session(),
    lambda s: s['database'] is null or s['database'] = 'temp'))
