with tanon_call as (select true),
-- sql/functions/help/help.sql:24
tanon_functions as (
    select distinct function_name as function, comment
    from duckdb_functions()
    where (database_name = 'tanon' or schema_name = 'tanon') and comment is not null
),
-- sql/functions/help/help.sql:30
tanon_named as (
    select regexp_extract_all(comment, '\n(Argument|Result): (.*)', 0) as rows, comment
    from tanon_functions
    where function = regexp_replace('k_anonymity', '^tanon\.', '')
),
-- sql/functions/help/help.sql:46
tanon_parts as (
    select
        1 as place, 'summary' as part, '' as item, '' as kind,
        split_part(comment, E'\n', 1) as text
    from tanon_named
    union all
    select 2, 'signature', '', '', regexp_extract(comment, '\nSignature: (.*)', 1) from tanon_named
    union all
    select 3, 'for', '', '', regexp_extract(comment, '\nFor: (.*)', 1) from tanon_named
    union all
    select
        3 + place, lower(regexp_extract(line, '\n(\w+): ', 1)),
        trim(cells[1]), trim(cells[2]), trim(cells[3])
    from (
        select
            generate_subscripts(rows, 1) as place, unnest(rows) as line,
            string_split(regexp_replace(line, '^\n\w+: ', ''), ' | ') as cells
        from tanon_named
    )
    union all
    select 1000, 'details', '', '', regexp_extract(comment, '(?s)\nDetails:\n(.*)\n\nExample:\n', 1)
    from tanon_named
    union all
    select 1001, 'example', '', '', split_part(comment, E'\nExample:\n', 2) from tanon_named
),
-- sql/functions/help/help.sql:36
tanon_known as (
    select if(count(*) = 1, true, error(
        'there is no function tanon.' || 'k_anonymity' || coalesce('; did you mean tanon.' || (
            select arg_min(function, levenshtein(function, 'k_anonymity')) from tanon_functions
            where levenshtein(function, 'k_anonymity') <= length('k_anonymity') / 2
        ) || '?', '; from tanon.help() lists all')
    )) as known
    from tanon_named
)
-- sql/functions/help/help.sql
select part, item, kind, text
from tanon_parts
where (select known from tanon_known) and text <> ''
order by place
