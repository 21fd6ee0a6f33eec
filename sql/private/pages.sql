-- Text in lines that fit a screen of 80 columns with the frame of a table around them.

-- The first line stands two columns further left than the others.
create or replace macro tanon._wrapped(x, indent) as list_transform(
    regexp_extract_all(x,
        '(\S(?:.{0,' || (73 - len(indent))::varchar || '}\S)?)(?:\s+|$)', 1),
    lambda line, place: case when place = 1 then indent[3:] else indent end || line);

-- Prose is set anew, what is indented stays as it is.
create or replace macro tanon._paragraphs(x) as flatten(list_transform(
    string_split(x, E'\n\n'),
    lambda part, place: list_concat(
        case when place = 1 then [] else [''] end,
        case when contains(part, E'\n ') then flatten(list_transform(string_split(part, E'\n'),
            lambda line: case when len(line) <= 75 then [line]
                else tanon._wrapped(line, '      ') end))
        else tanon._wrapped(replace(part, E'\n', ' '), '') end)));

-- SQL is broken behind commas.
create or replace macro tanon._code_lines(x) as flatten(list_transform(
    string_split(x, E'\n'),
    lambda line: list_transform(
        list_filter(regexp_extract_all(line, '(.{0,68}(?:,|$)|.{0,68}\S|.+)(?:\s|$)', 1),
            lambda part: part <> ''),
        lambda part, place: case when place = 1 then '  ' else '      ' end || part)));
