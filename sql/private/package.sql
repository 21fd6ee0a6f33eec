-- Data of the package that functions of help read.

create or replace macro tanon._version() as {version};

create or replace macro tanon._presets() as {presets};

-- The name today of a function, a command or an argument that was renamed; NULL for other words.
create or replace macro tanon._new_name(word) as ({former_names})[
    regexp_replace(word, '^tanon\.', '')];
