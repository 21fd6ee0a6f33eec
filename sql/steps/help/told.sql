-- What the comments of the functions say: of each a row, and of the one that is named its parts.
-- Yields: functions, named, parts, described
-- Takes: name

step functions
    select distinct function_name as function, comment
    from duckdb_functions()
    where (database_name = 'tanon' or schema_name = 'tanon') and comment is not null
end

step named
    select regexp_extract_all(comment, '\n(For|Argument|Result)( \w+)?: (.*)', 0) as rows, comment
    from {functions}
    where function = regexp_replace({name}, '^tanon\.', '')
end

step parts
    select
        1 as place, 'summary' as part, '' as item, '' as kind,
        split_part(comment, E'\n', 1) as text
    from {named}
    union all
    select 2, 'signature', '', '', regexp_extract(comment, '\nSignature: (.*)', 1) from {named}
    union all
    select
        2 + place, lower(regexp_extract(line, '\n([\w ]+): ', 1)),
        if(len(cells) = 1, '', trim(cells[1])), if(len(cells) = 1, '', trim(cells[2])),
        trim(cells[-1])
    from (
        select
            generate_subscripts(rows, 1) as place, unnest(rows) as line,
            string_split(regexp_replace(line, '^\n[\w ]+: ', ''), ' | ') as cells
        from {named}
    )
    union all
    select 1000, 'details', '', '', regexp_extract(comment, '(?s)\nDetails:\n(.*)\n\nExample:\n', 1)
    from {named}
    union all
    select 1001, 'example', '', '', split_part(comment, E'\nExample:\n', 2) from {named}
end

step described
    select
        function,
        regexp_extract(comment, '\nTopic: (.*)', 1) as topic,
        regexp_extract(comment, '\nSignature: (.*)', 1) as signature,
        split_part(comment, E'\n', 1) as summary,
        regexp_matches(comment, '\nPython: yes') as needs_python,
        split_part(comment, E'\nExample:\n', 2) as example
    from {functions}
end
