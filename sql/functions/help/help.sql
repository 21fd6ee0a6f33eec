-- What the tanon functions are, or one of them in full.
--
-- Without a name: one row per function. With a name: one row for its summary, for each argument,
-- for each result column, for its details and for an example that can be run.
--
-- Arguments:
--   name  text = NULL  a function's name, with or without tanon. in front
-- Result:
--   function      VARCHAR  (without a name) the function
--   topic         VARCHAR  (without a name) what it is about
--   signature     VARCHAR  (without a name) the arguments and their defaults
--   summary       VARCHAR  (without a name) one sentence
--   needs_python  BOOLEAN  (without a name) whether it runs only where Python is
--   example       VARCHAR  (without a name) SQL that can be run on the tables of tanon-duck demo
--   part          VARCHAR  (with a name) summary, signature, for, argument, result,
--                         details or example
--   item          VARCHAR  (with a name) of the argument or result column
--   kind          VARCHAR  (with a name) what the argument must be, the type of the result
--   text          VARCHAR  (with a name) what it means
-- For: anybody
-- Example:
--   from tanon.help('k_anonymity')

step functions
    select distinct function_name as function, comment
    from duckdb_functions()
    where (database_name = 'tanon' or schema_name = 'tanon') and comment is not null
end

step named
    select regexp_extract_all(comment, '\n(Argument|Result): (.*)', 0) as rows, comment
    from {functions}
    where function = regexp_replace({name}, '^tanon\.', '')
end

step known
    select if(count(*) = 1, true, error(
        'there is no function tanon.' || {name} || coalesce('; did you mean tanon.' || (
            select arg_min(function, levenshtein(function, {name})) from {functions}
            where levenshtein(function, {name}) <= length({name}) / 2
        ) || '?', '; from tanon.help() lists all')
    )) as known
    from {named}
end

step parts
    select
        1 as place, 'summary' as part, '' as item, '' as kind,
        split_part(comment, E'\n', 1) as text
    from {named}
    union all
    select 2, 'signature', '', '', regexp_extract(comment, '\nSignature: (.*)', 1) from {named}
    union all
    select 3, 'for', '', '', regexp_extract(comment, '\nFor: (.*)', 1) from {named}
    union all
    select
        3 + place, lower(regexp_extract(line, '\n(\w+): ', 1)),
        trim(cells[1]), trim(cells[2]), trim(cells[3])
    from (
        select
            generate_subscripts(rows, 1) as place, unnest(rows) as line,
            string_split(regexp_replace(line, '^\n\w+: ', ''), ' | ') as cells
        from {named}
    )
    union all
    select 1000, 'details', '', '', regexp_extract(comment, '(?s)\nDetails:\n(.*)\n\nExample:\n', 1)
    from {named}
    union all
    select 1001, 'example', '', '', split_part(comment, E'\nExample:\n', 2) from {named}
end

{if name is null}
select
    function,
    regexp_extract(comment, '\nTopic: (.*)', 1) as topic,
    regexp_extract(comment, '\nSignature: (.*)', 1) as signature,
    split_part(comment, E'\n', 1) as summary,
    regexp_matches(comment, '\nPython: yes') as needs_python,
    split_part(comment, E'\nExample:\n', 2) as example
from {functions}
order by topic, function
{else}
select part, item, kind, text
from {parts}
where (select known from {known}) and text <> ''
order by place
{end}
