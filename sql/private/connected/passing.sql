-- How calls are passed on where Python connects, and makes their texts.

create or replace macro tanon._reads_comments() as true;

create or replace macro tanon._held_secret_text() as 'tanon._answer(tanon_held_secret(true))';

-- Python has an instance of DuckDB that makes texts, and keeps the last ones.
create or replace macro tanon._made(name, given) as
    tanon._answer(tanon_text_of(concat('_text_of_', name), given));

create or replace macro tanon._handed_on(name, given, must, may, relations) as
    tanon._unless(tanon._replaced(concat('tanon.', name)), list_extract(list_transform([given],
        lambda g: case
        when must or case when may
            then tanon._session_has_roles() or tanon._answer(tanon_any_roles(relations)) end
        then tanon._answer(tanon_text_of(concat('_roles_of_', name), g))
        else tanon._made(name, g) end), 1));
