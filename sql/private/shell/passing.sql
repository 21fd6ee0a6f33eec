-- How calls are passed on without Python: comments are not read.

create or replace macro tanon._reads_comments() as false;

create or replace macro tanon._held_secret_text() as {secret_of_shell};

create or replace macro tanon._refused(say, x) as error(say || left(coalesce(x::varchar, ''), 0));

create or replace macro tanon._made(name, given) as tanon._call_of_text(name, given);

create or replace macro tanon._handed_on(name, given, must, may, relations) as
    list_extract(list_transform([given], lambda g:
        case when must or may and tanon._session_has_roles() then tanon._call_of_query(name, g)
        else tanon._call_of_text(name, g) end), 1);
