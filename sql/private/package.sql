-- Data of the package that functions of help read.

create or replace macro tanon._version() as {version};

create or replace macro tanon._presets() as {presets};
