-- sql/functions/roles/roles_text.sql
-- tanon._declared: sql/private/roles.sql
-- tanon._roles_of_session: sql/private/roles.sql
list_concat(tanon._declared(NULL), list_filter(tanon._roles_of_session(),
    lambda s: s['database'] is null or s['database'] = 'temp'))
