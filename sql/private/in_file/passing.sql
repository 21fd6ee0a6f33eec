-- How calls are passed on in a database that carries the functions, with Python or without.

create or replace macro tanon._reads_comments() as current_setting('username') = {marked_instance};

create or replace macro tanon._held_secret_text() as 'tanon._answer(tanon_held_secret(true))';

create or replace macro tanon._made(name, given) as tanon._call_of_text(name, given);

-- Where Python has to look for what is declared, it is a query that decides.
create or replace macro tanon._handed_on(name, given, must, may, relations) as
    list_extract(list_transform([given], lambda g: case
        when must or may and tanon._session_has_roles() then tanon._call_of_query(name, g)
        when may and tanon._reads_comments()
        then concat('from query(case when tanon._answer(tanon_any_roles(',
            tanon._text(relations), ')) then tanon._call_of_query(', tanon._text(name), ', ',
            tanon._text(g),
            ') else tanon._call_of_text(', tanon._text(name), ', ', tanon._text(g), ') end)')
        else tanon._call_of_text(name, g) end), 1);
